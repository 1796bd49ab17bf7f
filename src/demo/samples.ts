// Sample keys and requests, printed after the start of the demo.
import { readFileSync } from 'node:fs'
import { withClient } from './connection.ts'

const requests = ['/ping', '/reports/profit_loss', '/metrics?codes=income,profit']

/**
 * @param keysFile an SQL file with one query; its columns are the table's.
 * @param url of the database that has the keys, as a superuser.
 */
export async function samples(keysFile: string, url: string, apiUrl: string): Promise<string> {
  const sql = readFileSync(keysFile, 'utf8')
  const keys = await withClient(url, client => client.query<Record<string, string>>(sql))
  const table = [keys.fields.map(field => field.name), ...keys.rows.map(row => Object.values(row))]
  const key = table[1]?.[0] ?? ''
  const commands = requests.map(
    path => `curl -H 'Authorization: Bearer ${key}' '${apiUrl}/api/public/v1${path}'`,
  )
  const widths = keys.fields.map((_, at) => Math.max(...table.map(row => row[at]!.length)))
  const lines = table.map(row =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')}`.trimEnd(),
  )
  return `\n${lines.join('\n')}\n\n${commands.join('\n')}\n\n`
}
