// What is broken does not take the place of what was good.
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { startProxy } from '../harness/proxy.ts'
import { SHOPS_SQL_DIR } from '../support/shops.ts'
import { svodka } from '../support/svodka.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { RECEIPTS, watching } from './watched.ts'

describe('svodka watch', () => {
  const watched = watching()

  it('serves the last good version of a file that does not load, until it is mended', async () => {
    await watched.start()
    const good = (await watched.ask('/reports/receipts?from=2026-01-01&to=2026-12-31')).text
    const said = watched.listen()
    watched.change(RECEIPTS, ':organization_id', ':organisation_id')
    await said(`the last good version of sql/${RECEIPTS} stays\n`)
    expect(said.all()).to.match(/^sql\/reports\/sales\/receipts.sql:38: .*:organisation_id.*\n/m)
    expect((await watched.ask('/reports/receipts?from=2026-01-01&to=2026-12-31')).text).to.equal(
      good,
    )

    watched.change(RECEIPTS, ':organisation_id', ':organization_id')
    watched.change(RECEIPTS, 'title: Чеки', 'title: Снова чеки')
    await said(`mended sql/${RECEIPTS}\nreloaded sql/${RECEIPTS}\n`)
    expect(await watched.titles()).to.deep.equal(['Снова чеки'])
  })

  it('serves the last good version of a file that does not fit the database', async () => {
    await watched.start()
    const said = watched.listen()
    watched.change(RECEIPTS, 'receipts.weight,', 'receipts.wieght as weight,')
    await said(`the last good version of sql/${RECEIPTS} stays\n`)
    expect(said.all()).to.contain(
      `sql/${RECEIPTS}:32: column receipts.wieght does not exist, expected `,
    )
    expect((await watched.ask('/reports/receipts')).status).to.equal(200)
    expect((await fetch(`${watched.opsUrl}/readyz`)).status).to.equal(200)

    const shapes = [
      ['receipts.weight,', 'receipts.note as weight,', `:9: function sum(text) does not exist`],
      ['receipts.sold_at,', 'receipts.note as sold_at,', `:7: column "sold_at" is text, `],
    ] as const
    let found: string = 'receipts.wieght as weight,'
    let before: string = 'receipts.weight,'
    for (const [right, wrong, finding] of shapes) {
      watched.change(RECEIPTS, found, before)
      watched.change(RECEIPTS, right, wrong)
      await said(`sql/${RECEIPTS}${finding}`)
      found = wrong
      before = right
    }
    watched.change(RECEIPTS, found, before)
    await said(`mended sql/${RECEIPTS}\n`)
  })

  it('starts without what is broken, and takes it once it is mended', async () => {
    watched.write(
      'reports/sales/two.sql',
      watched.read(RECEIPTS).replace('key: [receipt]', 'key: [reciept]'),
    )
    watched.write(
      'reports/sales/three.sql',
      watched.read(RECEIPTS).replace('from receipts', 'from reciepts'),
    )
    await watched.start()
    // Files from the folder's parent.
    const err = () => watched.gateway.err.replaceAll(`${dirname(watched.folder)}/`, '')
    const said = (text: string) => until(() => err().includes(text))
    await said('sql/reports/sales/two.sql is not there until it is mended\n')
    await said('sql/reports/sales/three.sql is not there until it is mended\n')
    expect(err()).to.match(/^sql\/reports\/sales\/two.sql:\d+: .*reciept/m)
    expect(err()).to.match(/^sql\/reports\/sales\/three.sql:37: relation "reciepts" does not/m)
    expect(await watched.titles()).to.deep.equal(['Чеки'])
    watched.change('reports/sales/two.sql', 'key: [reciept]', 'key: [receipt]')
    await said('mended sql/reports/sales/two.sql\nadded sql/reports/sales/two.sql\n')
    expect((await watched.ask('/reports/two')).status).to.equal(200)
    expect(err().match(/three.sql:37/g), 'said once').to.have.lengthOf(1)
  })

  it('keeps a code with the file that had it', async () => {
    await watched.start()
    const said = watched.listen()
    watched.write(
      'reports/early/receipts.sql',
      watched.read(RECEIPTS).replace('title: Чеки', 'title: Не те'),
    )
    await said(
      `sql/reports/early/receipts.sql:1: report "receipts" is also in sql/${RECEIPTS}, expected each code once\n`,
    )
    watched.change(RECEIPTS, 'title: Чеки', 'title: Те')
    await said(`reloaded sql/${RECEIPTS}\n`)
    expect(await watched.titles()).to.deep.equal(['Те'])
    rmSync(join(watched.folder, RECEIPTS))
    await said('mended sql/reports/early/receipts.sql\nadded sql/reports/early/receipts.sql\n')
    expect(await watched.titles()).to.deep.equal(['Не те'])
  })

  it('looks keys up by the last key look-up that loads and runs', async () => {
    await watched.start()
    const access = 'access/organization_by_key.sql'
    const said = watched.listen()
    watched.change(access, 'shop_keys.hash = any', 'shop_keys.hsah = any')
    await said(`the last good version of sql/${access} stays\n`)
    expect((await watched.ask('/ping')).status).to.equal(200)
    watched.change(access, 'shop_keys.hsah = any', 'false and shop_keys.hash = any')
    await said(`reloaded sql/${access}\n`)
    expect((await watched.ask('/ping')).status).to.equal(401)
    rmSync(join(watched.folder, access))
    await said(`sql/${access}: no such file`)
    const saidNext = watched.listen()
    cpSync(join(SHOPS_SQL_DIR, access), join(watched.folder, access))
    await saidNext(`mended sql/${access}\nreloaded sql/${access}\n`)
    expect((await watched.ask('/ping')).status).to.equal(200)
  })

  it('waits with what was saved while the replica is away', async () => {
    const proxy = await startProxy(watched.shops.replicaUrl)
    await watched.start({ DATABASE_URL: proxy.url, KEYS_DATABASE_URL: watched.shops.primaryUrl })
    await proxy.cut()
    const said = watched.listen()
    watched.change(RECEIPTS, 'title: Чеки', 'titel: Чеки')
    await said(`the last good version of sql/${RECEIPTS} stays\n`)
    watched.change(RECEIPTS, 'titel: Чеки', 'title: Снова чеки')
    await said('the replica cannot be asked now: what was saved is taken once')
    expect(await watched.titles()).to.deep.equal(['Чеки'])
    await proxy.mend()
    await said(`reloaded sql/${RECEIPTS}\n`)
    expect(await watched.titles()).to.deep.equal(['Снова чеки'])
    await proxy.cut()
  })
})

describe('svodka watch, without a key look-up', () => {
  it('does not start', async () => {
    const folder = join(temporaryFolder(), 'sql')
    cpSync(join(SHOPS_SQL_DIR, RECEIPTS), join(folder, RECEIPTS))
    const settings = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', SQL_DIR: folder }
    const { code, stderr } = await svodka(['watch'], settings)
    expect(code).to.equal(1)
    expect(stderr).to.contain('sql/access/organization_by_key.sql: no such file, expected ')
  })
})
