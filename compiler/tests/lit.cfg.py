# How lit runs the .ll and .cl files here: by their RUN lines, in bash, where any command of a pipe may fail the test.
import lit.formats

config.name = "compiler"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".ll", ".cl"]
config.test_source_root = config.weft_tests
config.test_exec_root = config.weft_output

# Whole words, not parts of paths.
for name, path in config.weft_tools.items():
    config.substitutions.append((rf"(?<![\w./-]){name}(?![\w.-])", path))
