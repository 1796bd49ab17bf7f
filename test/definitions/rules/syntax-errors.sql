-- 1: syntax error at or near "b" (column 14), expected what PostgreSQL 18's parser accepts
select a frm b where c = now()
-- 2: syntax error at or near "b" (column 6), expected what PostgreSQL 18's parser accepts
select a
  form b
-- 1: syntax error at or near ":" (column 12), expected a blank before a placeholder and its name right behind its ":"
select date:today
-- 1: syntax error at end of input (column 10), expected more: is every bracket closed?
select (1
-- 1: unterminated quoted string at or near "'abc" (column 8), expected every quote and comment to be closed
select 'abc
-- 1: unterminated quoted string at or near "'" (column 35), expected every quote and comment to be closed
select 'abc, d from e where f = 'g'
-- 1: unterminated /* comment at or near "/* abc" (column 8), expected every quote and comment to be closed
select /* abc
