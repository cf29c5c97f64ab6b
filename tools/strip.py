#!/usr/bin/env python3
"""Put PNG pictures of the same height side by side: strip.py OUT.png A.png B.png ... [--crop LEFT,TOP,WIDTH,HEIGHT]

Needs nothing but Python. Reads what `beadlet render` writes: 8 bits, RGB or RGBA, not interlaced."""
import argparse
import struct
import sys
import zlib

GAP = 4  # white columns between two pictures


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    if pa <= pb and pa <= pc:
        return a
    return b if pb <= pc else c


def unfilter(kind, line, above, step):
    """Undo one row's PNG filter in place."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
        line[i] = (line[i] + guess) & 255


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += size + 12


def read_png(path):
    """Rows of RGB bytes."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"{path}: not a PNG file")
    width = height = step = 0
    packed = b""
    for kind, body in chunks(data):
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            if depth != 8 or color not in (2, 6) or interlaced:
                sys.exit(f"{path}: only plain RGB or RGBA with 8 bits can be read")
            step = 3 if color == 2 else 4
        elif kind == b"IDAT":
            packed += body
    raw = zlib.decompress(packed)
    above, rows = bytearray(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        line = bytearray(raw[start + 1:start + 1 + width * step])
        if raw[start]:
            unfilter(raw[start], line, above, step)
        above = line
        if step == 4:
            line = bytearray(b for i, b in enumerate(line) if i % 4 != 3)
        rows.append(line)
    return rows


def write_png(path, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    # The Paeth filter packs smooth pictures well.
    above, packed = bytearray(len(rows[0])), bytearray()
    for line in rows:
        packed.append(4)
        packed += bytes((b - paeth(line[i - 3] if i > 2 else 0, above[i], above[i - 3] if i > 2 else 0)) & 255
                        for i, b in enumerate(line))
        above = line
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(packed), 9))
                   + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("out")
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--crop", help="LEFT,TOP,WIDTH,HEIGHT in pixels, of every picture")
    options = parser.parse_args()
    pictures = [read_png(path) for path in options.pictures]
    if options.crop:
        left, top, width, height = (int(part) for part in options.crop.split(","))
        pictures = [[row[3 * left:3 * (left + width)] for row in rows[top:top + height]] for rows in pictures]
    if len({len(rows) for rows in pictures}) != 1:
        sys.exit("the pictures differ in height")
    white = bytes([255]) * (3 * GAP)
    write_png(options.out, [bytearray(white.join(bytes(rows[y]) for rows in pictures))
                            for y in range(len(pictures[0]))])


if __name__ == "__main__":
    main()
