// Executes a statement of SQLite with Python, and reads its rows digit for digit.
import { jsonOutputOf } from '../clients/clients.ts'
import type { Row } from './kits.ts'

const EXECUTE = `import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
cursor = db.execute(sys.argv[2])
names = [name for name, *_ in cursor.description or []]
text = lambda value: value if value is None else repr(value) if isinstance(value, float) else str(value)
print(json.dumps([dict(zip(names, map(text, row))) for row in cursor]))`

export async function sqliteRows(python: string, file: string, sql: string): Promise<Row[]> {
  return (await jsonOutputOf(python, ['-c', EXECUTE, file, sql])) as Row[]
}
