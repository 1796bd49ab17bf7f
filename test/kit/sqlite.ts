// Reads a table of SQLite with Python, digit for digit.
import { jsonOutputOf } from '../clients/clients.ts'
import type { Row } from './kits.ts'

const READ = `import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
cursor = db.execute(f'select * from "{sys.argv[2]}"')
names = [name for name, *_ in cursor.description]
text = lambda value: value if value is None else repr(value) if isinstance(value, float) else str(value)
print(json.dumps([dict(zip(names, map(text, row))) for row in cursor]))`

export async function sqliteRows(python: string, file: string, table: string): Promise<Row[]> {
  return (await jsonOutputOf(python, ['-c', READ, file, table])) as Row[]
}
