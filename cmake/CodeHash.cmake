# cmake -DFILES=... -DSALT=... -DOUTPUT=FILE.c -P CodeHash.cmake: the hash of the files' contents as a C constant.
set(all "${SALT}")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} hash)
  string(APPEND all " ${hash}")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "extern const char bl_code_hash[];\nconst char bl_code_hash[] = \"${hash}\";\n")
