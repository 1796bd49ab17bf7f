/** JavaScript for Node, Deno and Bun: the rows of a period as an async iterable, and as a file. */
import type { KitSource } from './kit-source.ts'
import { codeOf, nameReports, quoteJson } from './quote.ts'

export function javascript(source: KitSource): string {
  const code = codeOf(source)
  return String.raw`
// ${nameReports(source)}: строки за период. Node 20 и новее.
// Запуск: export SVODKA_KEY=...; node svodka.mjs КОД [С [ПО]] — строки в файл КОД.ndjson. В своей программе:
//   import { rowsOf } from './svodka.mjs'; for await (const row of rowsOf(code, { from, to })) ...
import { createWriteStream, realpathSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const BASE = ${quoteJson(source.baseUrl)}

/** Ответ 200; при 429 и 503 ждёт столько, сколько просит Retry-After. */
async function get(path, attempt = 1) {
  const headers = { 'X-Api-Key': process.env.SVODKA_KEY ?? '', 'Accept-Language': 'ru' }
  const response = await fetch(BASE + path, { headers })
  if (response.ok) return response
  const text = await response.text()
  const wait = response.headers.get('Retry-After')
  let reason = text
  try {
    const { code, detail, requestId } = JSON.parse(text)
    reason = code + ': ' + detail + ' (запрос ' + requestId + ')'
  } catch {}
  if (wait === null || attempt === 10) throw new Error(response.status + ' ' + reason)
  console.error(response.status + ' ' + reason + ': повтор через ' + wait + ' с')
  await sleep(Number(wait) * 1000)
  return get(path, attempt + 1)
}

/** Тексты строк: целые больше 2^53 не теряются. Ответ без последней строки _end неполон. */
async function* linesOf(code, { from, to }) {
  const query = new URLSearchParams({ from, ...(to && { to }), end: 'true' })
  const { body } = await get('/reports/' + encodeURIComponent(code) + '.ndjson?' + query)
  let rest = ''
  let end
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (line.startsWith('{"_end":')) end = line
      else yield line
    }
  }
  if (end === undefined) throw new Error('Ответ неполон')
}

export async function* rowsOf(code, period) {
  for await (const line of linesOf(code, period)) yield JSON.parse(line)
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const [code${code === undefined ? '' : ` = ${quoteJson(code)}`}, from = ${quoteJson(source.from)}, to${source.to === undefined ? '' : ` = ${quoteJson(source.to)}`}] = process.argv.slice(2)
  if (code === undefined) throw new Error('нужен код отчёта')
  const file = code + '.ndjson'
  const lines = async function* () {
    for await (const line of linesOf(code, { from, to })) yield line + '\n'
  }
  await pipeline(lines, createWriteStream(file + '.part'))
  await rename(file + '.part', file) // файл появляется целиком
  console.log(file)
}`
}
