/** One piece of work at a time, of each organization in turn. Knows not what is done. */

/**
 * Does the work once all that is before it is done: one piece of each organization's, then the next.
 * @throws as the work does
 */
export type TurnQueue = <T>(organizationId: string, work: () => Promise<T>) => Promise<T>

export function createTurnQueue(): TurnQueue {
  /** Who waits, by organization; the first one's turn is next. */
  const lines = new Map<string, Array<() => Promise<void>>>()
  let isWorking = false

  async function workOn(): Promise<void> {
    isWorking = true
    for (let [next] = lines; next !== undefined; [next] = lines) {
      const [organizationId, line] = next
      const work = line.shift()!
      lines.delete(organizationId)
      if (line.length > 0) lines.set(organizationId, line)
      await work()
    }
    isWorking = false
  }

  return (organizationId, work) =>
    new Promise((resolve, reject) => {
      const line = lines.get(organizationId) ?? []
      line.push(async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      })
      lines.set(organizationId, line)
      if (!isWorking) void workOn()
    })
}
