/** Says of an error which database it is of, for the log: pg's own say an address at most. */

/** @throws what was thrown, with the name as its `replica` */
export async function ofDatabase<T>(name: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { replica: name }) : error
  }
}
