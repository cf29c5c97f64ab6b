# cmake -DPROGRAM=... -DARGUMENTS=a;b -DOUTPUT=file -P: the program's standard output into a file.
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_FILE ${OUTPUT} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  # An empty file is installed then; the test of the installation finds it.
  file(WRITE ${OUTPUT} "")
  message(WARNING "${PROGRAM} ${ARGUMENTS}: ${result}")
endif()
