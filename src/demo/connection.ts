// One short connection to one of the demo's servers.
import { Client } from 'pg'

/** Connects, works, disconnects. An abort breaks the connection, and with it the query that runs. */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted()
  const client = new Client({
    connectionString: url,
    ssl: false,
    connectionTimeoutMillis: 5_000,
  })
  // Without a listener, a server that stops would end our process.
  client.on('error', () => {})
  const disconnect = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', disconnect)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', disconnect)
    await client.end().catch(() => {})
  }
}

/** The first row's first column, as text. */
export async function valueOf(url: string, sql: string): Promise<string | null> {
  return withClient(url, async client => {
    const { rows } = await client.query<(string | null)[]>({
      text: sql,
      rowMode: 'array',
      types: asText,
    })
    return rows[0]?.[0] ?? null
  })
}

const asText = { getTypeParser: () => (value: string) => value }
