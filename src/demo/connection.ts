// Short-lived connections to the demo's servers.
import { Client } from 'pg'

/** Connects, calls `work` and disconnects. An abort closes the connection, even during a query. */
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
  // why: without a listener, this process would exit if the server stops
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

/** The first column of the first row as text; null if there is no row. */
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
