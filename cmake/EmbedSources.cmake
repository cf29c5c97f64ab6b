# cmake -DROOT=dir "-DNAMES=a,b" -DTABLE=name -DOUTPUT=file.c -P: a C file with the table `name` of the named files below ROOT.
string(REPLACE "," ";" NAMES "${NAMES}")
set(arrays "")
set(entries "")
set(number 0)
foreach(name IN LISTS NAMES)
  file(READ ${ROOT}/${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char text_${number}[] = {${bytes}0};\n")
  string(APPEND entries "    {\"${name}\", (const char *)text_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}
     "#include \"base/embedded.h\"\n\n${arrays}\nextern const bl_embedded ${TABLE}[];\nconst bl_embedded ${TABLE}[] = {\n${entries}    {0, 0},\n};\n")
