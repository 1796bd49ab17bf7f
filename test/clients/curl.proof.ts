// Slow tests of streamed bodies: the report `noise` has 8 MB.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { breakExecutions, clientsGateway, LAST_YEAR } from './clients.ts'
import { curlOf, FORMATS, sameCompressed, TEXTS } from './curl.ts'

describe('curl and streamed bodies', function () {
  this.timeout(60_000)
  const world = clientsGateway({}, { limits: { maxCachedBytes: 1_048_576 } })
  const curl = curlOf(world)
  const { url, ask } = curl
  const sizeOf = (folder: string, name: string): number =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0

  for (const format of FORMATS) sameCompressed(curl, `noise.${format}?${LAST_YEAR}`)

  it('appends nothing with -C - if a response does not support ranges', async () => {
    const folder = temporaryFolder()
    const path = url(`noise.csv?${LAST_YEAR}`)
    const head = ['--range', '0-9999', '--output', 'answer', path]
    await ask(folder, '--max-filesize', '1000000000', ...head)
    const before = sizeOf(folder, 'answer')
    expect((await ask(folder, '-C', '-', '--output', 'answer', path))[0]).to.equal(33)
    expect(sizeOf(folder, 'answer')).to.equal(before)
  })

  for (const [formats, compressed] of [
    [FORMATS, []],
    [TEXTS, ['--compressed']],
  ] as const) {
    it(`fails if an execution breaks midway, after a 200 and a partial body ${compressed.join('')}`, async () => {
      const folder = temporaryFolder()
      const write = [...compressed, '--fail', '--write-out', '%{http_code}', '-o']
      const outcomes = await breakExecutions(
        world,
        () =>
          Promise.all(formats.map(format => ask(folder, ...write, format, url(`noise.${format}`)))),
        () => formats.every(format => sizeOf(folder, format) > 0),
      )
      for (const [at, [exitCode, status]] of outcomes.entries()) {
        const format = formats[at]!
        expect(status, format).to.equal('200')
        expect(sizeOf(folder, format), format).to.be.above(0)
        expect(exitCode, format).to.be.oneOf([18, 56])
      }
    })
  }
})
