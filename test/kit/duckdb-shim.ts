// `duckdb FILE <script.sql` for tests: executes statements from stdin, and prints their rows as JSON.
import { text } from 'node:stream/consumers'
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(process.argv[2] ?? '')
const connection = await instance.connect()
const result = await connection.runAndReadAll(await text(process.stdin))
process.stdout.write(`${JSON.stringify(result.getRowObjectsJson())}\n`)
connection.closeSync()
instance.closeSync()
