// One request with its whole response, for black-box tests: as fetch sends it, or with exactly the given headers.
import http, { type IncomingHttpHeaders } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { expect } from 'chai'

const PREFIX = '/api/public/v1'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- why: tests read bodies of every format
  readonly json: any
}

export type Ask = (
  path: string,
  options?: { key?: string | undefined; method?: string; headers?: Record<string, string> },
) => Promise<Answer>

/** @returns a function that sends requests with the default key, with `key`, or with none if `key` is undefined. */
export function asker(url: string, defaultKey: string): Ask {
  return async (path, options = {}) => {
    const key = 'key' in options ? options.key : defaultKey
    const response = await fetch(`${url}${PREFIX}${path}`, {
      method: options.method ?? 'GET',
      headers: { ...(key === undefined ? {} : { 'X-Api-Key': key }), ...options.headers },
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    const json = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '') && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      json: json ? JSON.parse(text) : undefined,
    }
  }
}

export function expectProblem(answer: Answer, status: number, code: string, name?: string): void {
  expect([answer.status, answer.json.code], name).to.deep.equal([status, code])
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export type RawAsk = (
  target: string,
  headers: Readonly<Record<string, string | string[]>>,
  method?: string,
) => Promise<RawAnswer>

/**
 * @param url `http://127.0.0.1:PORT`
 * @param options such as the agent; by default connections are kept alive
 * @returns a function that sends requests, and rejects if a response is incomplete
 */
export function rawAsker(url: string, options: RequestOptions = {}): RawAsk {
  const { hostname: host, port, protocol } = new URL(url)
  const { request } = protocol === 'https:' ? https : http
  return (target, headers, method = 'GET') =>
    new Promise((resolve, reject) => {
      request({ host, port, path: target, method, headers, ...options }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        )
      })
        .on('error', reject)
        .end()
    })
}
