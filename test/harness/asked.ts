// One question to a server that the bench hurts.
import { valueOf } from '../../src/demo/connection.ts'

/** The first row's first column. Asked again where a conflict with recovery has cancelled the question itself. */
export async function asked(url: string, sql: string, left = 5): Promise<string | null> {
  try {
    return await valueOf(url, sql)
  } catch (error) {
    if (left === 0 || !String(error).includes('conflict with recovery')) throw error
    return asked(url, sql, left - 1)
  }
}
