import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startProxy } from '../harness/proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { breakRuns, clientsGateway, KEY, needs, reportsUrl, run, YEAR } from './clients.ts'
import type { Ended } from './clients.ts'

const TEXTS = ['json', 'ndjson', 'csv']
const FORMATS = [...TEXTS, 'xlsx', 'parquet']
const LAST_YEAR = 'from=2025-01-01&to=2025-12-31'

describe('curl', function () {
  this.timeout(60_000)
  const world = clientsGateway({ CACHE_MAX_ENTRY_BYTES: '1MiB' })
  let curl: string

  before(async function () {
    curl = await needs(this, 'curl', ['curl'], ['--version'])
  })

  const url = (path: string): string => `${reportsUrl(world.gateway.url)}/${path}`
  const ask = (cwd: string, ...options: string[]): Promise<Ended> =>
    run(curl, ['--silent', '--show-error', '--header', `X-Api-Key: ${KEY}`, ...options], { cwd })

  async function whole(path: string): Promise<Buffer> {
    const { exitCode, stdout } = await ask('/', url(path))
    expect(exitCode).to.equal(0)
    return stdout
  }

  for (const format of FORMATS) {
    it(`has the same bytes with --compressed as without, kept or streamed: ${format}`, async () => {
      for (const [report, period] of [
        ['ledger', YEAR],
        ['noise', LAST_YEAR],
      ]) {
        const path = `${report}.${format}?${period}`
        const write = ['--output', 'answer', '--write-out', '%{size_download}']
        const folder = temporaryFolder()
        const { exitCode, stdout } = await ask(folder, '--compressed', ...write, url(path))
        expect(exitCode, report).to.equal(0)
        const plain = await whole(path)
        expect(sha256(readFileSync(join(folder, 'answer'))), report).to.equal(sha256(plain))
        expect(Number(stdout) < plain.length, `${report} is coded`).to.equal(TEXTS.includes(format))
      }
    })
  }

  it('resumes with -C - where a kept answer was cut off', async () => {
    const proxy = await startProxy(world.gateway.url)
    const folder = temporaryFolder()
    const path = `ledger.csv?${YEAR}`
    try {
      proxy.hurt({ sliceBytes: 4096, resetAfterBytes: 50_000 }, 'toClient')
      const cut = url(path).replace(new URL(url(path)).host, `127.0.0.1:${proxy.port}`)
      expect((await ask(folder, '--output', 'answer', cut)).exitCode).to.be.oneOf([18, 56])
    } finally {
      await proxy.cut()
    }
    const had = statSync(join(folder, 'answer')).size
    expect(had).to.be.within(1, 50_000)
    const write = ['--write-out', '%{http_code} %{size_download}']
    const resumed = await ask(folder, '-C', '-', '--output', 'answer', ...write, url(path))
    const bytes = await whole(path)
    expect([resumed.exitCode, resumed.stdout.toString()]).to.deep.equal([
      0,
      `206 ${bytes.length - had}`,
    ])
    expect(readFileSync(join(folder, 'answer')).equals(bytes)).to.equal(true)
    const again = await ask(folder, '-C', '-', '--output', 'answer', ...write, url(path))
    expect([again.exitCode, again.stdout.toString().slice(0, 3)]).to.deep.equal([0, '416'])
    expect(readFileSync(join(folder, 'answer')).equals(bytes)).to.equal(true)
  })

  it('appends nothing with -C - where the answer is streamed and has no parts', async () => {
    const folder = temporaryFolder()
    const path = url(`noise.csv?${LAST_YEAR}`)
    const head = ['--range', '0-9999', '--output', 'answer', path]
    await ask(folder, '--max-filesize', '1000000000', ...head)
    const before = statSync(join(folder, 'answer')).size
    const { exitCode } = await ask(folder, '-C', '-', '--output', 'answer', path)
    expect(exitCode).to.equal(33)
    expect(statSync(join(folder, 'answer')).size).to.equal(before)
  })

  for (const compressed of [[], ['--compressed']]) {
    it(`gets 304 with --etag-compare ${compressed.join('')} and keeps its file`, async () => {
      const folder = temporaryFolder()
      const tag = ['--etag-save', 'etag', '--etag-compare', 'etag', ...compressed]
      const options = [...tag, '--output', 'answer', '--write-out', '%{http_code}']
      const path = url(`ledger.ndjson?${YEAR}`)
      const first = await ask(folder, ...options, path)
      expect([first.exitCode, first.stdout.toString()]).to.deep.equal([0, '200'])
      const bytes = readFileSync(join(folder, 'answer'))
      const etag = readFileSync(join(folder, 'etag'), 'utf8')
      const second = await ask(folder, ...options, path)
      expect([second.exitCode, second.stdout.toString()]).to.deep.equal([0, '304'])
      expect(readFileSync(join(folder, 'answer')).equals(bytes)).to.equal(true)
      expect(readFileSync(join(folder, 'etag'), 'utf8')).to.equal(etag)
      const changed = await ask(folder, ...options, path.replace('12-31', '12-30'))
      expect(changed.stdout.toString()).to.equal('200')
    })
  }

  it('saves with -OJ under a name that tells the report and its period', async () => {
    for (const format of FORMATS) {
      const folder = temporaryFolder()
      const { exitCode } = await ask(folder, '-OJ', url(`ledger.${format}?${YEAR}`))
      expect(exitCode).to.equal(0)
      expect(readdirSync(folder)).to.deep.equal([`ledger_2026-01-01_2026-12-31.${format}`])
    }
  })

  for (const [formats, compressed] of [
    [FORMATS, []],
    [TEXTS, ['--compressed']],
  ] as const) {
    it(`fails where a run breaks midway, after a 200 and a part: streamed ${compressed.join('')}`, async () => {
      const write = [...compressed, '--fail', '--write-out', '%{http_code}']
      const folder = temporaryFolder()
      const sizeOf = (format: string): number =>
        statSync(join(folder, format), { throwIfNoEntry: false })?.size ?? 0
      const ends = await breakRuns(
        world,
        () =>
          Promise.all(
            formats.map(format => ask(folder, ...write, '-o', format, url(`noise.${format}`))),
          ),
        () => formats.every(format => sizeOf(format) > 0),
      )
      for (const [at, { exitCode, stdout }] of ends.entries()) {
        const format = formats[at]!
        expect(stdout.toString(), format).to.equal('200')
        expect(sizeOf(format), format).to.be.greaterThan(0)
        expect(exitCode, format).to.be.oneOf([18, 56])
      }
    })
  }
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
