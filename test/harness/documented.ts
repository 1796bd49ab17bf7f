// Every response of a gateway in this process must have a status and headers that its OpenAPI document lists.
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { Catalog } from '../../src/definitions/definition.ts'
import { PREFIX } from '../../src/model/terms.ts'
import { openApi } from '../../src/serve/describe/openapi.ts'

/** Headers of the protocol, which Node sends. */
const OF_PROTOCOL = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]

export interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, object>> } }>
  >
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const documents = new Map<number, OpenApi>()
let isListening = false

/** @param port of a gateway */
export async function requireDocumented(port: number, catalog: Catalog): Promise<void> {
  documents.set(port, openApi(catalog, PREFIX) as OpenApi)
  if (isListening) return
  isListening = true
  subscribe('http.server.response.finish', message => {
    const { request, response, server } = message as {
      readonly request: IncomingMessage
      readonly response: ServerResponse
      readonly server: Server
    }
    const address = server.address() as AddressInfo | null
    const document = documents.get(address?.port ?? 0)
    if (document === undefined || !request.url?.startsWith(`${PREFIX}/`)) return
    // why: the document has no preflights
    if (request.method === 'OPTIONS' && response.statusCode === 204) return
    const fault = faultOf(document, request.url, response)
    // why: an error in a subscriber ends the test as an uncaught exception
    if (fault !== undefined) throw new Error(`${request.method} ${request.url}: ${fault}`)
  })
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, object>>
}

/** What the document does not list; undefined if it lists everything. */
function faultOf(document: OpenApi, url: string, response: ServerResponse): string | undefined {
  const isPart = response.statusCode === 206
  // why: a part has the headers of the whole; the document lists none, since generated clients would have no type
  const statusCode = isPart ? 200 : response.statusCode
  const path = url.slice(PREFIX.length).replace(/[?#].*$/, '')
  const listed = document.paths[path]?.get.responses[statusCode]
  // why: a path that does not exist has the errors of all paths
  const isUnlisted =
    listed === undefined && (document.paths[path] !== undefined || statusCode < 400)
  if (isUnlisted) return `status ${statusCode} is not in the document`
  const { $ref: reference } = (listed ?? {}) as { readonly $ref?: string }
  const name = reference?.slice('#/components/responses/'.length) ?? `Problem${statusCode}`
  const described =
    (reference === undefined ? listed : undefined) ?? document.components['responses']![name]
  const { headers = {} } = described as DocumentedResponse
  const known = new Set([
    ...OF_PROTOCOL,
    ...(isPart ? ['content-range'] : []),
    ...Object.keys(headers).map(header => header.toLowerCase()),
  ])
  const unknown = headerNames(response).filter(header => !known.has(header))
  return unknown.length === 0
    ? undefined
    : `${statusCode} has ${unknown.join(', ')}, not in the document`
}

/** Also of a head that was sent as text. */
function headerNames(response: ServerResponse): string[] {
  const { _header: head } = response as unknown as { readonly _header: string | null }
  const lines = (head ?? '').split('\r\n').slice(1)
  return lines
    .filter(line => line !== '')
    .map(line => line.slice(0, line.indexOf(':')).toLowerCase())
}
