// Requests with exactly the given headers; responses are not decoded.
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadRequest {
  /** With its query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Of the body. */
  readonly sha256: string
}

const AT_ONCE = 8
const agent = new Agent({ keepAlive: true })

function open(url: string, { path, headers }: LoadRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { agent, headers }, resolve).once('error', reject).end()
  })
}

/** @param url `http://127.0.0.1:PORT` @throws Error with the response, if its status is not the expected one. */
export async function ask(url: string, wanted: LoadRequest, status = 200): Promise<Answer> {
  const response = await open(url, wanted)
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (response.statusCode !== status) {
    throw new Error(
      `${wanted.path} returned ${response.statusCode}: ${body.toString().slice(0, 600)}`,
    )
  }
  const sha256 = createHash('sha256').update(body).digest('hex')
  return { headers: response.headers, body, sha256 }
}

/** @returns the response's JSON, whose type is not checked. */
export async function askJson<T>(url: string, wanted: LoadRequest): Promise<T> {
  return JSON.parse((await ask(url, wanted)).body.toString()) as T
}

/** Sends requests with limited concurrency. @returns the responses in the order of the requests. */
export async function askAll(
  url: string,
  requests: readonly LoadRequest[],
  status = 200,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = requests.entries()
  const worker = async (): Promise<void> => {
    for (const [at, wanted] of waiting) answers[at] = await ask(url, wanted, status)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return answers
}

/** @throws Error if a response is not from the cache. */
export function checkHits(answers: readonly Answer[]): void {
  for (const { headers } of answers) {
    const status = String(headers['cache-status'])
    if (!status.includes('hit')) throw new Error(`a response is no hit: ${status}`)
  }
}

/** Discards the body. @returns its size in bytes. */
export async function download(url: string, wanted: LoadRequest): Promise<number> {
  const response = await open(url, wanted)
  let byteCount = 0
  for await (const chunk of response as AsyncIterable<Buffer>) byteCount += chunk.length
  if (response.statusCode === 200) return byteCount
  throw new Error(`${wanted.path} returned ${response.statusCode}`)
}

/** @returns whether the promise has settled. */
export function settles(promise: Promise<unknown>): () => boolean {
  let isSettled = false
  const settle = (): void => void (isSettled = true)
  promise.then(settle, settle)
  return () => isSettled
}

/** Reads ten times a second until `end` settles and a byte has arrived. @throws Error if the response fails. */
export async function readSlowly(
  url: string,
  wanted: LoadRequest,
  bytesPerSecond: number,
  end: Promise<unknown>,
): Promise<void> {
  const isOver = settles(end)
  const response = await open(url, wanted)
  if (response.statusCode !== 200) throw new Error(`a slow reader got ${response.statusCode}`)
  let byteCount = 0
  let failure: Error | undefined
  response.on('readable', () => {}).once('error', error => (failure = error))
  while (!isOver() || byteCount === 0) {
    const sip = response.read(Math.ceil(bytesPerSecond / 10)) as Buffer | null
    byteCount += sip?.length ?? 0
    if (failure !== undefined) throw failure
    await sleep(100)
  }
  response.destroy()
}
