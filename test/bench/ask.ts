// One request with exactly the headers that are given, as load generators send them: nothing added, nothing decoded.
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { LoadRequest } from './wrk.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Of the body. */
  readonly sha256: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** @param url `http://127.0.0.1:PORT` */
export function ask(url: string, { path, headers }: LoadRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const body = Buffer.concat(chunks)
        const sha256 = createHash('sha256').update(body).digest('hex')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, sha256 })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Asks for all, some at a time. @returns the answers in the order of the requests. */
export async function askAll(
  url: string,
  requests: readonly LoadRequest[],
  atOnce = 8,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = requests.entries()
  const worker = async () => {
    for (const [at, wanted] of waiting) answers[at] = await ask(url, wanted)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return answers
}
