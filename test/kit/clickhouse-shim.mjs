// `clickhouse-client` for tests: a query of the embedded ClickHouse (npm package chdb), with parameters and stdin.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'chdb'

const data = process.env.CHDB_DATA
const options = process.argv.slice(2)
const named = options.map(option => /^--param_(\w+)=([^]*)$/.exec(option)).filter(Boolean)
const parameters = Object.fromEntries(named.map(([, name, value]) => [name, value]))
const query = options[options.indexOf('--query') + 1]
const input = join(data, 'input.ndjson')
const fromStdin = / from input\('([^]*)'\) format JSONEachRow$/
const hasInput = query.endsWith(' format JSONEachRow')
// why: the library has no stdin
if (hasInput) writeFileSync(input, readFileSync(0))
const executed = hasInput
  ? query
      .replace(/\s+from input/, ' from input')
      .replace(fromStdin, ` from file('${input}', JSONEachRow, '$1')`) +
    " settings date_time_input_format = 'best_effort'"
  : query
const session = new Session(data)
try {
  process.stdout.write(session.queryBind(executed, parameters, process.env.CHDB_FORMAT ?? 'TSV'))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
rmSync(input, { force: true })
session.close()
