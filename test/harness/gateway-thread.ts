// A gateway in a worker thread, so that the blocking of its event loop can be measured from outside.
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startGateway } from './gateway.ts'

export interface GatewayThread {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Total time that its event loop was busy. */
  heldMs(): number
  stop(): Promise<void>
}

/** Resolves once `/readyz` returns 200. */
export async function startGatewayThread(environment: NodeJS.ProcessEnv): Promise<GatewayThread> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { environment } })
  const url = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  return {
    url,
    heldMs: () => worker.performance.eventLoopUtilization().active,
    stop: async () => void (await worker.terminate()),
  }
}

if (!isMainThread && parentPort !== null) {
  const { environment } = workerData as { readonly environment: NodeJS.ProcessEnv }
  const gateway = await startGateway(environment)
  await gateway.ready()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- why: a thread is not a window
  parentPort.postMessage(gateway.url)
}
