/* Writers of mesh files. */
#include "surface/mesh_file.h"

#include "base/text.h"
#include "output/formats.h"

#include <string.h>

/* --- PLY ---------------------------------------------------------------------------------------------------------- */

static size_t pack_vec3(bl_vec3 v, char *out) {
    const float f[3] = {(float)v.x, (float)v.y, (float)v.z};
    memcpy(out, f, sizeof f);
    return sizeof f;
}

static void write_ply_header(FILE *file, const bl_surface_mesh *mesh, double time) {
    char text[32];
    fprintf(file, "ply\nformat binary_little_endian 1.0\ncomment beadlet %s\ncomment time %s\nelement vertex %zu\n",
            bl_version(), bl_format_double(text, time), mesh->vertex_count);
    fprintf(file, "property float x\nproperty float y\nproperty float z\n"
                  "property float nx\nproperty float ny\nproperty float nz\n");
    if (mesh->v) fprintf(file, "property float vx\nproperty float vy\nproperty float vz\n");
    fprintf(file, "property uchar kind\n");
    if (mesh->loop_count)
        fprintf(file, "element edge %zu\nproperty int vertex1\nproperty int vertex2\nend_header\n", mesh->vertex_count);
    else
        fprintf(file, "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n", mesh->triangle_count);
}

bl_status bl_mesh_write_ply(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time) {
    bl_outfile file;
    const bl_status status = bl_outfile_open(ctx, path, &file);
    if (status) return status;
    write_ply_header(file.stream, mesh, time);
    char row[40];
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        size_t size = pack_vec3(mesh->x[v], row);
        size += pack_vec3(mesh->normal[v], row + size);
        if (mesh->v) size += pack_vec3(mesh->v[v], row + size);
        row[size++] = (char)mesh->kind[v];
        fwrite(row, 1, size, file.stream);
    }
    for (size_t l = 0; l < mesh->loop_count; l++)
        for (uint32_t v = mesh->loop[l]; v < mesh->loop[l + 1]; v++) {
            const uint32_t ends[2] = {v, v + 1 < mesh->loop[l + 1] ? v + 1 : mesh->loop[l]};
            fwrite(ends, sizeof ends, 1, file.stream);
        }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        row[0] = 3;
        memcpy(row + 1, mesh->triangle + 3 * t, 12);
        fwrite(row, 1, 13, file.stream);
    }
    return bl_finish_file(ctx, &file, BL_OK);
}

/* --- OBJ ---------------------------------------------------------------------------------------------------------- */

bl_status bl_mesh_write_obj(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time) {
    bl_outfile file;
    const bl_status status = bl_outfile_open(ctx, path, &file);
    if (status) return status;
    char text[32];
    fprintf(file.stream, "# beadlet %s, time %s s\n", bl_version(), bl_format_double(text, time));
    for (size_t v = 0; v < mesh->vertex_count; v++)
        fprintf(file.stream, "v %.9g %.9g %.9g\n", (double)mesh->x[v].x, (double)mesh->x[v].y, (double)mesh->x[v].z);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        fprintf(file.stream, "vn %.5g %.5g %.5g\n", (double)mesh->normal[v].x, (double)mesh->normal[v].y,
                (double)mesh->normal[v].z);
    for (size_t l = 0; l < mesh->loop_count; l++) {
        fputs("l", file.stream);
        for (uint32_t v = mesh->loop[l]; v < mesh->loop[l + 1]; v++) fprintf(file.stream, " %u", v + 1);
        fprintf(file.stream, " %u\n", mesh->loop[l] + 1); /* closed */
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t a = mesh->triangle[3 * t] + 1, b = mesh->triangle[3 * t + 1] + 1,
                       c = mesh->triangle[3 * t + 2] + 1;
        fprintf(file.stream, "f %u//%u %u//%u %u//%u\n", a, a, b, b, c, c);
    }
    return bl_finish_file(ctx, &file, BL_OK);
}

/* --- VTP ---------------------------------------------------------------------------------------------------------- */

/* Arrays are declared first, with their place in the appended data, and written in the same order. */
typedef struct vtp_file {
    FILE *file;
    uint64_t offset;
} vtp_file;

static void declare(vtp_file *vtp, const char *type, const char *name, int components, uint64_t size) {
    fprintf(vtp->file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)vtp->offset);
    vtp->offset += sizeof(uint64_t) + size;
}

static void write_vtp_header(vtp_file *vtp, const bl_surface_mesh *mesh, double time) {
    char text[32];
    const uint64_t points = mesh->vertex_count, triangles = mesh->triangle_count;
    fprintf(vtp->file,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<PolyData>\n"
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
            "%s</DataArray>\n</FieldData>\n"
            "<Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"0\" NumberOfLines=\"%llu\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%llu\">\n<PointData Normals=\"normal\">\n",
            bl_format_double(text, time), (unsigned long long)points, (unsigned long long)mesh->loop_count,
            (unsigned long long)triangles);
    declare(vtp, "Float32", "normal", 3, 12 * points);
    if (mesh->v) declare(vtp, "Float32", "v", 3, 12 * points);
    declare(vtp, "UInt8", "kind", 1, points);
    fprintf(vtp->file, "</PointData>\n<Points>\n");
    declare(vtp, "Float32", "points", 3, 12 * points);
    /* closed lines name their first point again at the end */
    const char *cells = mesh->loop_count ? "Lines" : "Polys";
    const uint64_t corners = mesh->loop_count ? points + mesh->loop_count : 3 * triangles;
    fprintf(vtp->file, "</Points>\n<%s>\n", cells);
    declare(vtp, "UInt32", "connectivity", 1, 4 * corners);
    declare(vtp, "UInt32", "offsets", 1, 4 * (mesh->loop_count ? mesh->loop_count : triangles));
    fprintf(vtp->file, "</%s>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", cells);
}

static void put_size(FILE *file, uint64_t size) { fwrite(&size, sizeof size, 1, file); }

static void put_vectors(FILE *file, const bl_vec3 *v, size_t count) {
    put_size(file, 12 * (uint64_t)count);
    char packed[12];
    for (size_t i = 0; i < count; i++) fwrite(packed, 1, pack_vec3(v[i], packed), file);
}

static void put_triangles(FILE *file, const bl_surface_mesh *mesh) {
    put_size(file, 12 * (uint64_t)mesh->triangle_count);
    fwrite(mesh->triangle, 12, mesh->triangle_count, file);
    put_size(file, 4 * (uint64_t)mesh->triangle_count);
    for (uint32_t t = 1; t <= mesh->triangle_count; t++) {
        const uint32_t end = 3 * t;
        fwrite(&end, sizeof end, 1, file);
    }
}

static void put_lines(FILE *file, const bl_surface_mesh *mesh) {
    put_size(file, 4 * (uint64_t)(mesh->vertex_count + mesh->loop_count));
    for (size_t l = 0; l < mesh->loop_count; l++) {
        for (uint32_t v = mesh->loop[l]; v < mesh->loop[l + 1]; v++) fwrite(&v, sizeof v, 1, file);
        fwrite(&mesh->loop[l], sizeof *mesh->loop, 1, file);
    }
    put_size(file, 4 * (uint64_t)mesh->loop_count);
    for (uint32_t l = 1; l <= mesh->loop_count; l++) {
        const uint32_t end = mesh->loop[l] + l;
        fwrite(&end, sizeof end, 1, file);
    }
}

bl_status bl_mesh_write_vtp(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time) {
    bl_outfile file;
    const bl_status status = bl_outfile_open(ctx, path, &file);
    if (status) return status;
    vtp_file vtp = {file.stream, 0};
    write_vtp_header(&vtp, mesh, time);
    put_vectors(file.stream, mesh->normal, mesh->vertex_count);
    if (mesh->v) put_vectors(file.stream, mesh->v, mesh->vertex_count);
    put_size(file.stream, mesh->vertex_count);
    fwrite(mesh->kind, 1, mesh->vertex_count, file.stream);
    put_vectors(file.stream, mesh->x, mesh->vertex_count);
    if (mesh->loop_count)
        put_lines(file.stream, mesh);
    else
        put_triangles(file.stream, mesh);
    fprintf(file.stream, "\n</AppendedData>\n</VTKFile>\n");
    return bl_finish_file(ctx, &file, BL_OK);
}

bl_mesh_write_fn bl_mesh_writer(const char *format) {
    if (strcmp(format, "ply") == 0) return bl_mesh_write_ply;
    if (strcmp(format, "obj") == 0) return bl_mesh_write_obj;
    if (strcmp(format, "vtp") == 0) return bl_mesh_write_vtp;
    return NULL;
}
