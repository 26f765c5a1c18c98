# Writes OUTPUT, a C++ source that holds the text of INPUT.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "namespace weft::compiler::frontend {\nextern const char kOpenclBaseHeader[];\nconst char kOpenclBaseHeader[] = R\"weft_header(${text})weft_header\";\n}\n")
