// Requests of the measurement of hits: 1,950 keys of 195 organizations, cached reports of about 21 KB. Before the
// measurement it proves that cached bodies have the same bytes as fresh ones.
import { askAll, checkHits } from '../ask.ts'
import type { Bench } from '../bench.ts'
import { closedYear, freshly, requestOf } from '../subject.ts'

/** `conditional` is `full` with If-None-Match. Baselines send `bodies` in turn, so that all read as much memory. */
export type Questions = Awaited<ReturnType<typeof prepare>>

const KEYS = 10
const YEARS = 2
const GZIP = { 'Accept-Encoding': 'gzip' }

/** Fills the cache. @throws Error if a response is not 200, not a hit, or differs from an execution. */
export async function prepare({ product }: Bench, url: string) {
  // One key of each organization per turn, so that consecutive requests have different organizations.
  const full = Array.from({ length: KEYS }, (_, turn) =>
    product.ordinary.map(({ keys }) =>
      requestOf(closedYear('stock_turnover', 1 + (turn % YEARS)), keys[turn] ?? '', GZIP),
    ),
  ).flat()
  const different = YEARS * product.ordinary.length
  const fresh = await askAll(url, full.slice(0, different).map(freshly))
  const cached = await askAll(url, full)
  checkHits(cached)
  if (cached.some(({ sha256 }, at) => sha256 !== fresh[at % different]?.sha256)) {
    throw new Error('a cached body differs from that of an execution')
  }
  const conditional = full.map(({ path, headers }, at) => ({
    path,
    headers: { ...headers, 'If-None-Match': cached[at]?.headers.etag ?? 'none' },
  }))
  await askAll(url, conditional, 304)
  return { full, conditional, bodies: fresh.map(({ body }) => body) }
}

/** @throws Error if a baseline does not send these bytes. */
export async function sendsSameBytes(url: string, { full, bodies }: Questions): Promise<void> {
  const answers = await askAll(url, full.slice(0, bodies.length))
  const sent = new Set(answers.map(({ body }) => body.toString('latin1')))
  if (bodies.some(body => !sent.has(body.toString('latin1')))) {
    throw new Error(`the baseline at ${url} sends other bytes`)
  }
}
