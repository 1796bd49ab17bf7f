import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { watchFolder } from '../../src/author/commands/watch-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

describe('watching a folder', () => {
  it("reports saves beside links that lead nowhere, such as an editor's lock", async () => {
    const folder = temporaryFolder()
    const report = join(folder, 'reports/shop/a.sql')
    mkdirSync(join(folder, 'reports/shop'), { recursive: true })
    writeFileSync(report, '1')
    let changeCount = 0
    const stop = watchFolder(folder, () => (changeCount += 1), 50)
    try {
      symlinkSync('me@host.123:1', join(folder, 'reports/shop/.#a.sql'))
      writeFileSync(report, '22')
      await until(() => changeCount === 1)
      symlinkSync('nowhere.sql', join(folder, 'reports/shop/b.sql'))
      await until(() => changeCount === 2)
      writeFileSync(report, '333')
      await until(() => changeCount === 3)
    } finally {
      stop()
    }
    expect(changeCount).to.equal(3)
  })
})
