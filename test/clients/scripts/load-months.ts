// A loader as a user would write it: `node load-months.js REPORTS_URL CODE FROM_MONTH TO_MONTH FOLDER`, key in
// SVODKA_KEY. Each month is a file; months.json contains the complete months and their ETags. To resume, run it again.
import { existsSync, readFileSync } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [reports = '', code = '', first = '', last = '', folder = '.'] = process.argv.slice(2)
const TRIES = 8

const monthsFile = join(folder, 'months.json')
const done = (existsSync(monthsFile) ? JSON.parse(readFileSync(monthsFile, 'utf8')) : {}) as Record<
  string,
  string | null
>

for (let month = first; month <= last; month = daysFrom(month, 32).slice(0, 7)) {
  process.stdout.write(`${month} ${await loadMonth(month)}\n`)
}

async function loadMonth(month: string): Promise<string> {
  const to = daysFrom(daysFrom(month, 32).slice(0, 7), -1)
  const response = await fetchWithRetries(
    `${reports}/${code}.ndjson?from=${month}-01&to=${to}&end=true`,
    {
      'X-Api-Key': process.env['SVODKA_KEY'] ?? '',
      ...(done[month] && { 'If-None-Match': done[month] }),
    },
  )
  if (response.status === 304) return 'is here already'
  const file = join(folder, `${month}.ndjson`)
  const rows = await save(response, `${file}.part`)
  await rename(`${file}.part`, file)
  done[month] = response.headers.get('ETag')
  await writeFile(`${monthsFile}.part`, JSON.stringify(done))
  await rename(`${monthsFile}.part`, monthsFile)
  return `${rows} rows`
}

/** Saves a response. @returns the number of rows @throws Error if the last line does not confirm it */
async function save(response: Response, path: string): Promise<number> {
  const file = await open(path, 'w')
  try {
    for await (const chunk of response.body ?? []) await file.write(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const end = JSON.parse(lines.pop() ?? '') as { readonly _end?: true; readonly rows?: number }
  if (!end._end || end.rows !== lines.length) throw new Error(`${path} is incomplete`)
  await writeFile(path, lines.map(line => `${line}\n`).join(''))
  return lines.length
}

async function fetchWithRetries(url: string, headers: Record<string, string>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { headers })
    const { status } = response
    if (status === 200 || status === 304) return response
    const problem = await response.text()
    if ((status !== 429 && status < 500) || attempt === TRIES) {
      throw new Error(`${url}: ${status} ${problem}`)
    }
    const seconds = Number(response.headers.get('Retry-After') ?? attempt)
    process.stderr.write(`${status} ${url}: again in ${seconds} s\n`)
    await sleep(seconds * 1000)
  }
}

/** @param month `2026-01`: days are added to its first day */
function daysFrom(month: string, days: number): string {
  const day = new Date(`${month}-01T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}
