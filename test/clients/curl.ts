/** curl as a client of a gateway, for its tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import type { World } from '../harness/shops-gateway.ts'
import { KEY, needs, reportsUrl, run } from './clients.ts'

export const TEXTS = ['json', 'ndjson', 'csv']
export const FORMATS = [...TEXTS, 'xlsx', 'parquet']

export interface Curl {
  readonly url: (path: string) => string
  /** Runs curl in the folder. @returns exit code and output */
  readonly ask: (folder: string, ...options: string[]) => Promise<readonly [number, string]>
  readonly whole: (path: string) => Promise<Buffer>
}

/** Registers a hook that skips the tests without curl. */
export function curlOf(world: World): Curl {
  let curl = ''
  before(async function () {
    curl = await needs(this, 'curl', ['curl'], ['--version'])
  })
  const url = (path: string): string => `${reportsUrl(world.gateway.url)}/${path}`
  const inFolder = (folder: string, options: readonly string[]) =>
    run(curl, ['--silent', '--show-error', '--header', `X-Api-Key: ${KEY}`, ...options], folder)
  return {
    url,
    async ask(folder, ...options) {
      const { exitCode, stdout } = await inFolder(folder, options)
      return [exitCode, stdout.toString()]
    },
    async whole(path) {
      const { exitCode, stdout, stderr } = await inFolder('/', [url(path)])
      expect(exitCode, stderr).to.equal(0)
      return stdout
    },
  }
}

/** Tests that a report has equal bytes with and without compression, and that only text formats are compressed. */
export function sameCompressed({ url, ask, whole }: Curl, path: string): void {
  it(`has the same bytes with --compressed as without: ${path}`, async () => {
    const folder = temporaryFolder()
    const write = ['--output', 'answer', '--write-out', '%{size_download}']
    const [exitCode, size] = await ask(folder, '--compressed', ...write, url(path))
    expect(exitCode).to.equal(0)
    const plain = await whole(path)
    expect(readFileSync(join(folder, 'answer')).equals(plain)).to.equal(true)
    const isText = TEXTS.some(format => path.includes(`.${format}?`))
    expect(Number(size) < plain.length, 'is compressed').to.equal(isText)
  })
}
