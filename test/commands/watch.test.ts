import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SHOPS_SQL_DIR } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { RECEIPTS, SALES, watching } from './watched.ts'

describe('svodka watch', () => {
  const watched = watching()

  it('answers with what was saved, and says what was reloaded', async () => {
    await watched.start()
    expect(await watched.titles()).to.deep.equal(['Чеки'])
    const said = watched.listen()
    const text = watched.read(RECEIPTS).replace('title: Чеки', 'title: Все чеки')
    watched.write(RECEIPTS, text.replace('title: Сумма', 'title: На сумму'))
    await said(`reloaded sql/${RECEIPTS}\n`)
    expect(await watched.titles()).to.deep.equal(['Все чеки'])
    const { columns } = (await watched.ask('/reports/receipts')).json
    expect(columns.map(({ title }: { title: string }) => title)).to.contain('На сумму')
    expect(said.all()).to.equal(`reloaded sql/${RECEIPTS}\n`)
  })

  it('takes new files, in folders that are made for them, and other metrics', async () => {
    await watched.start()
    const said = watched.listen()
    watched.write(
      'reports/new/more.sql',
      watched.read(RECEIPTS).replace('title: Чеки', 'title: Ещё чеки'),
    )
    await said('added sql/reports/new/more.sql\n')
    expect(await watched.titles()).to.have.members(['Чеки', 'Ещё чеки'])
    expect((await watched.ask('/reports/more')).status).to.equal(200)
    const metrics = await (await fetch(`${watched.opsUrl}/metrics`)).text()
    expect(metrics).to.match(/svodka_http_requests_total\{.*report="more",status="200"\} 1\n/)
    expect(metrics).to.match(/svodka_runs_total\{definition="more",outcome="ok"\} 1\n/)
    expect(metrics).to.contain('svodka_definitions_loaded{kind="report"} 2\n')

    watched.change(SALES, 'revenue: { title: Выручка', 'turnover: { title: Оборот')
    watched.change(SALES, 'as revenue', 'as turnover')
    await said(`reloaded sql/${SALES}\n`)
    const { status, json } = await watched.ask('/metrics?codes=turnover')
    expect([status, json.metrics[0].title]).to.deep.equal([200, 'Оборот'])
    expect((await watched.ask('/metrics?codes=revenue')).json.code).to.equal('metric_not_found')
  })

  it('forgets what is deleted, and takes it again when it comes back', async () => {
    await watched.start()
    const said = watched.listen()
    rmSync(join(watched.folder, 'reports'), { recursive: true })
    await said(`removed sql/${RECEIPTS}\n`)
    expect((await watched.ask('/reports/receipts')).json.code).to.equal('report_not_found')
    cpSync(join(SHOPS_SQL_DIR, RECEIPTS), join(watched.folder, RECEIPTS))
    await said(`added sql/${RECEIPTS}\n`)
    expect((await watched.ask('/reports/receipts')).status).to.equal(200)
    watched.change(RECEIPTS, 'title: Чеки', 'title: Опять чеки')
    await said(`reloaded sql/${RECEIPTS}\n`)
  })

  it('sees saves by rename, and takes a burst of them as one', async () => {
    await watched.start()
    const said = watched.listen()
    const text = watched.read(RECEIPTS)
    for (let save = 1; save <= 30; save += 1) {
      watched.write('reports/sales/.receipts.sql.swp', text)
      watched.write('reports/sales/receipts.sql~', text)
      watched.write('reports/sales/4913', text.replace('title: Чеки', `title: Чеки ${save}`))
      renameSync(join(watched.folder, 'reports/sales/4913'), join(watched.folder, RECEIPTS))
    }
    await said(`reloaded sql/${RECEIPTS}\n`)
    await until(async () => (await watched.titles())[0] === 'Чеки 30')
    expect(said.all().split('\n')).to.have.lengthOf.below(10)
    watched.write('reports/sales/5000', text)
    renameSync(join(watched.folder, 'reports/sales/5000'), join(watched.folder, RECEIPTS))
    await until(async () => (await watched.titles())[0] === 'Чеки')
  })

  it('ends a request in flight with the definition that it began with', async () => {
    const sleeps = 'reports/faults/sleeps.sql'
    cpSync(join(SHOPS_SQL_DIR, sleeps), join(watched.folder, sleeps))
    await watched.start()
    const said = watched.listen()
    const inFlight = watched.ask('/reports/sleeps')
    await until(async () => {
      const metrics = await (await fetch(`${watched.opsUrl}/metrics`)).text()
      return metrics.includes('svodka_http_requests_in_flight 1\n')
    })
    rmSync(join(watched.folder, sleeps))
    await said(`removed sql/${sleeps}\n`)
    expect((await watched.ask('/reports/sleeps')).status).to.equal(404)
    expect((await inFlight).status).to.equal(200)
  })
})
