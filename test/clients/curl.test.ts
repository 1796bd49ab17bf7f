import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startProxy } from '../harness/proxy.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { clientsGateway, KEY, needs, reportsUrl, run, YEAR } from './clients.ts'

/** A request as curl's and wget's. */
const PLAIN = { 'X-Api-Key': KEY, 'Accept-Encoding': 'identity' }
const FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet']

describe('curl', () => {
  const world = clientsGateway()
  let curl = ''
  before(async function () {
    curl = await needs(this, 'curl', ['curl'], ['--version'])
  })
  const url = (path: string): string => `${reportsUrl(world.gateway.url)}/${path}`
  const inFolder = (folder: string, options: readonly string[]) =>
    run(curl, ['--silent', '--show-error', '--header', `X-Api-Key: ${KEY}`, ...options], folder)

  /** @returns exit code and output */
  async function ask(folder: string, ...options: string[]): Promise<readonly [number, string]> {
    const { exitCode, stdout } = await inFolder(folder, options)
    return [exitCode, stdout.toString()]
  }

  async function whole(path: string): Promise<Buffer> {
    const { exitCode, stdout, stderr } = await inFolder('/', [url(path)])
    expect(exitCode, stderr).to.equal(0)
    return stdout
  }

  const etagOf = async (path: string): Promise<string> =>
    (await fetch(url(path), { headers: PLAIN })).headers.get('ETag')!

  describe('and wget do not resume a response that has changed', () => {
    const path = `receipts.csv?${YEAR}`
    const folder = temporaryFolder()
    const file = join(folder, 'answer')
    let tags: { readonly old: string; readonly current: string }
    let wget = ''
    before(async function () {
      wget = await needs(this, 'wget', ['wget'], ['--version'])
      const old = await etagOf(path)
      await world.shops.change('update receipts set amount_kopecks = 10051 where id = 101')
      const headers = { ...PLAIN, 'Cache-Control': 'no-cache' }
      await fetch(url(path), { headers })
      tags = { old, current: await etagOf(path) }
    })
    after(() => world.shops.change('update receipts set amount_kopecks = 10050 where id = 101'))

    const options = (condition: string) => [
      '--header',
      `X-Api-Key: ${KEY}`,
      ...(condition ? ['--header', condition] : []),
    ]
    const tools: Record<string, (condition: string) => Promise<{ exitCode: number }>> = {
      'curl -C -': condition =>
        run(curl, ['-sS', '-C', '-', ...options(condition), '-o', file, url(path)]),
      'wget -c': condition => run(wget, ['-q', '-c', ...options(condition), '-O', file, url(path)]),
      'a plain client': async condition => {
        const [name = '', value = ''] = condition.split(': ')
        const Range = `bytes=${statSync(file).size}-`
        const headers = { ...PLAIN, Range, ...(name && { [name]: value }) }
        const response = await fetch(url(path), { headers })
        if (response.status === 416) return { exitCode: 0 }
        if (response.status !== 206) return { exitCode: 1 }
        appendFileSync(file, await response.text())
        return { exitCode: 0 }
      },
    }
    for (const [name, resume] of Object.entries(tools)) {
      for (const part of ['100 bytes', 'all bytes']) {
        it(`${name}, with ${part}`, async () => {
          const bytes = await whole(path)
          const received = part === '100 bytes' ? bytes.subarray(0, 100) : bytes
          for (const condition of ['', `If-Match: ${tags.old}`]) {
            writeFileSync(file, received)
            expect((await resume(condition)).exitCode, condition).to.not.equal(0)
            expect(readFileSync(file).equals(received), condition).to.equal(true)
          }
          expect((await resume(`If-Match: ${tags.current}`)).exitCode).to.equal(0)
          expect(readFileSync(file).equals(bytes)).to.equal(true)
        })
      }
    }
  })

  for (const format of ['csv', 'xlsx']) {
    it(`has the same bytes with --compressed, which compresses only texts: ${format}`, async () => {
      const folder = temporaryFolder()
      const path = `ledger.${format}?${YEAR}`
      const write = ['--output', 'answer', '--write-out', '%{size_download}']
      const [exitCode, size] = await ask(folder, '--compressed', ...write, url(path))
      expect(exitCode).to.equal(0)
      const plain = await whole(path)
      expect(readFileSync(join(folder, 'answer')).equals(plain)).to.equal(true)
      expect(Number(size) < plain.length, 'is compressed').to.equal(format === 'csv')
    })
  }

  it('resumes an interrupted response with -C - and If-Match', async () => {
    const proxy = await startProxy(world.gateway.url)
    const folder = temporaryFolder()
    const path = `ledger.csv?${YEAR}`
    try {
      proxy.hurt({ sliceBytes: 4096, resetAfterBytes: 50_000 }, 'toClient')
      const cut = url(path).replace(new URL(url(path)).host, `127.0.0.1:${proxy.port}`)
      expect((await ask(folder, '--output', 'answer', cut))[0]).to.be.oneOf([18, 56])
    } finally {
      await proxy.cut()
    }
    const receivedBytes = statSync(join(folder, 'answer')).size
    expect(receivedBytes).to.be.within(1, 50_000)
    const write = ['--output', 'answer', '--write-out', '%{http_code} %{size_download}']
    const bytes = await whole(path)
    const resume = ['-C', '-', '--header', `If-Match: ${await etagOf(path)}`, ...write, url(path)]
    expect(await ask(folder, ...resume)).to.deep.equal([0, `206 ${bytes.length - receivedBytes}`])
    const [exitCode, again] = await ask(folder, ...resume)
    expect([exitCode, again.slice(0, 3)]).to.deep.equal([0, '416'])
    expect(readFileSync(join(folder, 'answer')).equals(bytes)).to.equal(true)
  })

  for (const compressed of [[], ['--compressed']]) {
    it(`gets 304 with --etag-compare ${compressed.join('')} and does not change its file`, async () => {
      const folder = temporaryFolder()
      const tag = ['--etag-save', 'etag', '--etag-compare', 'etag', ...compressed]
      const options = [...tag, '--output', 'answer', '--write-out', '%{http_code}']
      const path = url(`ledger.ndjson?${YEAR}`)
      expect(await ask(folder, ...options, path)).to.deep.equal([0, '200'])
      const files = () => ['answer', 'etag'].map(name => readFileSync(join(folder, name), 'utf8'))
      const first = files()
      expect(await ask(folder, ...options, path)).to.deep.equal([0, '304'])
      expect(files()).to.deep.equal(first)
      expect(await ask(folder, ...options, path.replace('12-31', '12-30'))).to.deep.equal([
        0,
        '200',
      ])
    })
  }

  it('saves with -OJ under the name of the report and its period', async () => {
    for (const format of FORMATS) {
      const folder = temporaryFolder()
      expect((await ask(folder, '-OJ', url(`ledger.${format}?${YEAR}`)))[0]).to.equal(0)
      expect(readdirSync(folder)).to.deep.equal([`ledger_2026-01-01_2026-12-31.${format}`])
    }
  })
})
