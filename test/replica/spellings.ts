/** Statements that try to make their session writable, and SQL that shows that they failed. */
export const READ_ONLY = 'default_transaction_read_only'
export const SPELLINGS = {
  'U&"set\\005fconfig"': `select U&"set\\005fconfig"('${READ_ONLY}', 'off', false)`,
  query_to_xml: `select query_to_xml('select set_con' || 'fig(''${READ_ONLY}'', ''off'', false)', true, true, '')::text`,
}
export const BACKEND = 'select pg_backend_pid()'
export const SETTING = `select current_setting('${READ_ONLY}')`
