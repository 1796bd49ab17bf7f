// The alerts: promtool accepts them, each has a case that fires, a runbook, and names existing metrics.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { METRIC_TABLE } from '../../src/serve/observe/metric-table.ts'
import { skip } from '../harness/skip.ts'
import { alertsOf, PACK, RUNBOOKS } from './pack.ts'

const run = promisify(execFile)
const TESTS = ['', 'times.', 'days.'].map(name => `${PACK}/svodka.${name}test.yml`)

describe('the alerts', () => {
  const alerts = alertsOf(readFileSync(`${PACK}/svodka.alerts.yml`, 'utf8'))
  const names = [...new Set(alerts.map(({ alert }) => alert))]

  async function tool(
    context: Mocha.Context,
    program: string,
    ...args: readonly string[]
  ): Promise<void> {
    context.timeout(120_000)
    const installed = await run(program, ['--version']).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    )
    if (!installed) skip(context, `there is no ${program}: install prometheus-alertmanager`)
    // why: promtool waits for the disk at each of its databases
    const TMPDIR = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
    await run(program, args, { env: { ...process.env, TMPDIR } })
  }

  it('are accepted by promtool, with the configuration of Prometheus', function () {
    return tool(this, 'promtool', 'check', 'config', `${PACK}/prometheus.yml`)
  })

  for (const file of TESTS) {
    it(`fire and are quiet as in ${file}`, function () {
      return tool(this, 'promtool', 'test', 'rules', file)
    })
  }

  it('have a configuration that Alertmanager accepts', function () {
    return tool(this, 'amtool', 'check-config', `${PACK}/alertmanager.yml`)
  })

  it('have a severity, a summary, a description, and a runbook that exists', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(labels.severity, alert).to.match(/^(?:critical|warning)$/)
      expect(annotations.summary, alert).to.match(/^[A-Z].{10,60}$/)
      expect(annotations.description, alert).to.match(/\.$/)
      expect(annotations.runbook_url, alert).to.match(new RegExp(`/${alert}\\.md$`))
      expect(existsSync(`${RUNBOOKS}/${alert}.md`), alert).to.equal(true)
    }
  })

  it('have no runbook of another alert, and all are in the index', () => {
    const pages = readdirSync(RUNBOOKS).filter(name => name !== 'README.md')
    expect(pages).to.have.members(names.map(name => `${name}.md`))
    const index = readFileSync(`${RUNBOOKS}/README.md`, 'utf8')
    for (const name of names) expect(index).to.include(`[${name}](${name}.md)`)
  })

  it('each fire in a case, with each severity', () => {
    const cases = TESTS.map(file => readFileSync(file, 'utf8')).join('')
    for (const { alert, labels } of alerts)
      expect(cases).to.include(`alertname="${alert}", severity="${labels.severity}"`)
  })

  it('name existing metrics only', () => {
    const texts = ['svodka.alerts.yml', 'svodka.rules.yml'].map(file =>
      readFileSync(`${PACK}/${file}`, 'utf8'),
    )
    const used = texts.join('').match(/(?<![:\w])svodka_\w+(?![:\w])/g) ?? []
    const named = used.map(name => name.replace(/_(?:bucket|count)$/, ''))
    expect(Object.keys(METRIC_TABLE)).to.include.members(named)
  })

  it('are inhibited and left out by existing alerts', () => {
    const texts = ['alertmanager.yml', 'svodka.alerts.yml'].map(file =>
      readFileSync(`${PACK}/${file}`, 'utf8'),
    )
    const named = texts.join('').match(/Svodka\w+/g) ?? []
    expect(names).to.include.members(named)
  })
})
