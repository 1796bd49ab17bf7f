/** Processes one task at a time, round-robin over organizations. */

/**
 * Queues a task. Organizations take turns, with one task each.
 * @throws what the task throws
 */
export type TurnQueue = <T>(organizationId: string, work: () => Promise<T>) => Promise<T>

export function createTurnQueue(): TurnQueue {
  /** Waiting tasks by organization; the first organization is next. */
  const queues = new Map<string, Array<() => Promise<void>>>()
  let isWorking = false

  async function processQueues(): Promise<void> {
    isWorking = true
    for (let [next] = queues; next !== undefined; [next] = queues) {
      const [organizationId, queue] = next
      const work = queue.shift()!
      queues.delete(organizationId)
      if (queue.length > 0) queues.set(organizationId, queue)
      await work()
    }
    isWorking = false
  }

  return (organizationId, work) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(organizationId) ?? []
      queue.push(async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      })
      queues.set(organizationId, queue)
      if (!isWorking) void processQueues()
    })
}
