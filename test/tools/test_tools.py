"""The programs that judge the sources: what they must see, and what they must not."""
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import duckdb_api  # noqa: E402
import rooms  # noqa: E402
import sql_tests  # noqa: E402
import tidy  # noqa: E402

C = '''
#define LOUD(x) if (x) goto nowhere
/* int commented(void) { goto out; } */
struct point { int x; };
static const int table[] = {1, 2};
__attribute__((format(printf, 1, 2))) static int
first(const char *text, int (*callback)(int, int), nilas_error *err) {
    if (text && *text == '{') { // a brace in a literal }
        return strcpy(0, "}") ? 1 : 0;
    }
    switch (*text) { case 1: case 2: break; }
    return 0;
}
void second(nilas_arena *stmt, int a, int b, int c, int d, int e, int *out_f, nilas_error *err) { }
'''


class Tidy(unittest.TestCase):
    def setUp(self):
        self.found = list(tidy.functions(tidy.code_only(C)))
        self.measures = tidy.Measures()

    def complaints(self, text):
        tidy.check_words(self.measures, "src/scan/x.c", text, tidy.code_only(text))
        tidy.check_braces(self.measures, "src/scan/x.c", tidy.code_only(text))
        return " ".join(p.text for p in self.measures.problems)

    def test_finds_functions_and_nothing_else(self):
        self.assertEqual([f[0] for f in self.found], ["first", "second"])

    def test_counts_decisions_and_a_switch_once(self):
        tidy.measure_functions(self.measures, "x.c", tidy.code_only(C))
        self.assertEqual([f[1] for f in self.measures.functions], [5, 1])

    def test_does_not_count_arena_out_and_error(self):
        self.assertEqual([len(tidy.split_parameters(f[1])) for f in self.found], [2, 5])

    def test_refuses_banned_calls_goto_and_printing(self):
        said = self.complaints("void f(void) { strcpy(a, b); goto out; printf(c); }\n")
        for word in ("strcpy is banned", "goto:", "never print"):
            self.assertIn(word, said)

    def test_leaves_comments_strings_and_members_alone(self):
        self.assertEqual(self.complaints('/* strcpy(a) */ x = "goto f; rand()"; y.system(1); z->rand(2);\n'), "")

    def test_wants_braces_but_knows_do_while(self):
        self.assertEqual(self.complaints("do { x(); } while (y);\nif (a) { b(); } else if (c) { d(); }\n"), "")
        self.assertIn("if without braces", self.complaints("if (a)\n    b();\n"))

    def test_an_exception_has_to_be_needed_and_tight(self):
        problem = tidy.Problem("x.c:f", "lines", 80, "x.c:f: lines 80, at most 70")
        exceptions = {("x.c:f", "lines"): (80, "why")}
        self.assertEqual(tidy.apply_exceptions([problem], exceptions, True), [])
        self.assertIn("80 is enough", tidy.apply_exceptions([problem], {("x.c:f", "lines"): (90, "why")}, True)[0])
        self.assertIn("no longer needed", tidy.apply_exceptions([], exceptions, True)[0])
        self.assertEqual(len(tidy.apply_exceptions([problem], {("x.c:f", "lines"): (75, "why")}, True)), 1)


class Rooms(unittest.TestCase):
    def allowed(self, room, name):
        return rooms.check_include(room, os.path.join(ROOT, "src", room, "x.c"), name)

    def test_a_room_may_include_below_by_its_door_only(self):
        self.assertIsNone(self.allowed("scan", "base/base.h"))
        self.assertIsNone(self.allowed("scan", "scan/private.h"))
        self.assertIn("private to base", self.allowed("scan", "base/arena.h"))
        self.assertIn("may include only", self.allowed("scan", "session/session.h"))
        self.assertIn("may include only", self.allowed("shell", "connect/connect.h"))

    def test_an_outside_header_lives_in_its_room(self):
        self.assertIsNone(rooms.check_outside("engine", "duckdb.h"))
        self.assertIn("lives in engine", rooms.check_outside("scan", "duckdb.h"))
        self.assertIsNone(rooms.check_outside("base", "sys/stat.h"))
        self.assertIn("has no room yet", rooms.check_outside("base", "gtk/gtk.h"))

    def test_nobody_includes_a_later_room(self):
        for room, allowed in rooms.MAY_INCLUDE.items():
            self.assertTrue(all(rooms.ORDER.index(a) < rooms.ORDER.index(room) for a in allowed), room)

    def test_links_top_floor_first(self):
        self.assertEqual(rooms.closure(["scan"]), ["scan", "iceberg", "io", "codec", "base"])


class Statements(unittest.TestCase):
    def read(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".test") as file:
            file.write(text)
            file.flush()
            return sql_tests.File(file.name)

    def test_reads_settings_statements_and_answers(self):
        file = self.read("# c\n-- conf a.b=c d\n\nstatement:\nselect\n\n1\n---- unordered\n1\n\nstatement:\nx\n----\n")
        self.assertEqual(file.conf, {"a.b": "c d"})
        self.assertEqual([(b.statement, b.expected, b.unordered) for b in file.blocks],
                         [(["select", "", "1"], ["1"], True), (["x"], [], False)])

    def test_refuses_a_stray_line(self):
        self.assertRaises(ValueError, self.read, "select 1\n")
        self.assertRaises(ValueError, self.read, "statement:\nselect 1\n")

    def test_compares_rows_and_errors(self):
        block = self.read("statement:\nx\n----\nschema: struct<a:int>\n1\tNULL\n").blocks[0]
        same = {"schema": "struct<a:int>", "rows": [["1", None]]}
        self.assertIsNone(sql_tests.differs(block, same, str))
        self.assertIsNotNone(sql_tests.differs(block, {"schema": "struct<a:bigint>", "rows": [["1", None]]}, str))
        self.assertIsNotNone(sql_tests.differs(block, {"error": {"message": "no"}}, str))
        block = self.read("statement:\nx\n----\nerror: - two\n").blocks[0]
        self.assertIsNone(sql_tests.differs(block, {"error": {"message": "one\ntwo"}}, str))
        self.assertIsNotNone(sql_tests.differs(block, {"error": {"condition": "A", "message": "two"}}, str))
        self.assertIsNotNone(sql_tests.differs(block, same, str))


class DuckdbApi(unittest.TestCase):
    def test_knows_declarations_from_types_and_comments(self):
        text = "// DUCKDB_C_API int duckdb_no(void);\nDUCKDB_C_API const char *duckdb_yes(int a);\ntypedef int duckdb_type;\n"
        self.assertEqual(duckdb_api.DECLARED.findall(duckdb_api.COMMENT.sub("", text)), ["duckdb_yes"])


if __name__ == "__main__":
    unittest.main()
