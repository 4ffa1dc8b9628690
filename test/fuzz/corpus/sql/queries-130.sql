SELECT /* a /* nested */ comment */ 1 -- to the end \
still the comment
, 2