// What is asked while hits are timed: 1,950 keys of 195 organizations, reports of about 21 KB, all of them kept; and
// the proof, before anything is timed, that kept answers are the same bytes as fresh ones.
import { askAll } from '../ask.ts'
import type { Answer } from '../ask.ts'
import type { Bench } from '../bench.ts'
import { PREFIX } from '../gateway.ts'
import { CLIENT_HEADERS } from '../wrk.ts'
import type { LoadRequest } from '../wrk.ts'

export interface Questions {
  readonly full: readonly LoadRequest[]
  /** The same with If-None-Match. */
  readonly conditional: readonly LoadRequest[]
  /** All the different answers: what baselines send, in turn, so that all read as much memory. */
  readonly bodies: readonly Buffer[]
  readonly smallestBytes: number
}

/** Years that have ended stay fresh for an hour: longer than this takes. */
function closedYears(): readonly number[] {
  const year = new Date().getFullYear()
  return [year - 1, year - 2]
}

const pathOf = (year: number) =>
  `${PREFIX}/reports/stock_turnover?from=${year}-01-01&to=${year}-12-31`

/** Fills the cache. @throws Error if an answer is not 200, not a hit, or other bytes than a run makes. */
export async function prepare({ product }: Bench, url: string): Promise<Questions> {
  const years = closedYears()
  const fresh = product.ordinary.flatMap(({ keys: [key = ''] }) =>
    years.map(year => ({
      path: pathOf(year),
      headers: { ...CLIENT_HEADERS, 'X-Api-Key': key, 'Cache-Control': 'no-cache' },
    })),
  )
  const runs = await askAll(url, fresh)
  const wanted: { readonly request: LoadRequest; readonly run: Answer }[] = []
  // Turn by turn over the organizations, so that neighbours are not of the same one.
  for (let turn = 0; turn < 10; turn++) {
    for (const [at, { keys }] of product.ordinary.entries()) {
      const key = keys[turn]
      const run = runs[at * years.length + (turn % years.length)]
      const year = years[turn % years.length]
      if (key === undefined || run === undefined || year === undefined) continue
      const headers = { ...CLIENT_HEADERS, 'X-Api-Key': key }
      wanted.push({ request: { path: pathOf(year), headers }, run })
    }
  }
  const full = wanted.map(({ request }) => request)
  const kept = await askAll(url, full)
  const conditional: LoadRequest[] = []
  for (const [at, { request, run }] of wanted.entries()) {
    const answer = kept[at]
    if (answer === undefined) throw new Error('an answer is missing')
    check(request, answer, run)
    const etag = answer.headers.etag ?? ''
    conditional.push({ ...request, headers: { ...request.headers, 'If-None-Match': etag } })
  }
  await checkNotModified(url, conditional)
  const bodies = [...new Map(kept.map(({ sha256, body }) => [sha256, body])).values()]
  return {
    full,
    conditional,
    bodies,
    smallestBytes: Math.min(...bodies.map(({ length }) => length)),
  }
}

function check({ path }: LoadRequest, answer: Answer, run: Answer): void {
  const { status, headers, sha256 } = answer
  const cacheStatus = String(headers['cache-status'])
  if (run.status !== 200 || status !== 200) {
    throw new Error(`${path} is answered ${run.status} and ${status}: ${answer.body.toString()}`)
  }
  if (!cacheStatus.includes('hit')) throw new Error(`${path} is no hit: ${cacheStatus}`)
  if (headers.etag === undefined) throw new Error(`${path} has no ETag`)
  if (sha256 !== run.sha256) throw new Error(`${path}: what is kept is not what a run makes`)
}

async function checkNotModified(url: string, conditional: readonly LoadRequest[]): Promise<void> {
  const answers = await askAll(url, conditional)
  const other = answers.find(({ status, body }) => status !== 304 || body.length > 0)
  if (other !== undefined) throw new Error(`If-None-Match is answered ${other.status}`)
}

/** @throws Error if a baseline does not send these bytes. */
export async function sendsSameBytes(url: string, questions: Questions): Promise<void> {
  const [request] = questions.full
  if (request === undefined) throw new Error('there is nothing to ask')
  const turn = Array.from({ length: questions.bodies.length }, () => request)
  const answers = await askAll(url, turn)
  const wanted = new Set(questions.bodies.map(body => body.toString()))
  const sent = new Set(answers.map(({ body }) => body.toString()))
  if (answers.some(({ status }) => status !== 200) || [...wanted].some(body => !sent.has(body))) {
    throw new Error(`the baseline at ${url} sends other bytes`)
  }
}
