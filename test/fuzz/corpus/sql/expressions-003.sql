SELECT 'a', "b", 'it''s', "say ""no""", 'a' 'b' "c", r'raw\n', R"raw", '\u0041\U00000042\101', '\%_\_', '\\%', 'new
line', '\t\n\r\0\Z', '\q\''