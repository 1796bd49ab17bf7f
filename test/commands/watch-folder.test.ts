import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

  it('reports renames over files, and swapped links such as those of a ConfigMap, once each', async () => {
    const folder = temporaryFolder()
    const group = join(folder, 'reports/shop')
    for (const [version, text] of ['1', '1'].entries()) {
      mkdirSync(join(group, `..${version}`), { recursive: true })
      writeFileSync(join(group, `..${version}/a.sql`), text)
    }
    symlinkSync('..0', join(group, '..data'))
    symlinkSync('..data/a.sql', join(group, 'a.sql'))
    symlinkSync(group, join(folder, 'reports/linked'))
    writeFileSync(join(group, 'b.sql'), '1')
    let changeCount = 0
    const stop = watchFolder(folder, () => (changeCount += 1), 50)
    try {
      symlinkSync('..1', join(group, '..new'))
      renameSync(join(group, '..new'), join(group, '..data'))
      await until(() => changeCount === 1)
      writeFileSync(join(group, '.b.sql.swp'), '1')
      renameSync(join(group, '.b.sql.swp'), join(group, 'b.sql'))
      await until(() => changeCount === 2)
      await sleep(300)
    } finally {
      stop()
    }
    expect(changeCount).to.equal(2)
  })
})
