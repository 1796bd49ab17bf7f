// `clickhouse-client` for tests: one query of the embedded ClickHouse (the npm package chdb), with parameters and stdin.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'chdb'

const data = process.env.CHDB_DATA
const options = process.argv.slice(2)
const parameters = {}
let query = ''
for (const option of options) {
  const [, name, value] = /^--param_(\w+)=([^]*)$/.exec(option) ?? []
  if (name) parameters[name] = value
}
query = options[options.indexOf('--query') + 1]
const session = new Session(data)
const input = join(data, 'input.ndjson')
if (/ format JSONEachRow$/.test(query)) {
  writeFileSync(input, readFileSync(0))
  query = query
    .replace(/ from input\('([^]*)'\) format JSONEachRow$/m, ` from file('${input}', JSONEachRow, '$1')`)
    .replace(/\s+from input\('([^]*)'\) format JSONEachRow$/, ` from file('${input}', JSONEachRow, '$1')`)
  query += " settings date_time_input_format = 'best_effort'"
}
try {
  const result = session.queryBind ? session.queryBind(query, parameters, 'TSV') : session.query(query, 'TSV')
  process.stdout.write(result ?? '')
} catch (error) {
  process.stderr.write(`${error.message}\n${query}\n`)
  process.exitCode = 1
}
rmSync(input, { force: true })
session.close()
