# cmake -DROOT=dir "-DNAMES=a,b" -DOUTPUT=file.c -P: a C file with the table bl_cl_sources of the named files below ROOT.
string(REPLACE "," ";" NAMES "${NAMES}")
set(arrays "")
set(table "")
set(number 0)
foreach(name IN LISTS NAMES)
  file(READ ${ROOT}/${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char text_${number}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", (const char *)text_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}
     "#include \"backends/opencl/sources.h\"\n\n${arrays}\nconst bl_cl_source bl_cl_sources[] = {\n${table}    {0, 0},\n};\n")
