import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createProgram } from '../src/command-line.ts'
import type { Setting } from '../src/config/setting.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { PROBLEMS } from '../src/model/errors.ts'
import type { MetricSpec } from '../src/serve/observability/metric.ts'
import { METRIC_TABLE } from '../src/serve/observability/metrics.ts'
import { POOLS } from '../src/model/observation.ts'
import { roleSettings } from '../src/serve/replica/session-settings.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'
import { skip } from './harness/skip.ts'

const readme = readFileSync('README.md', 'utf8')

/** The rows of the first table after a heading, each an array of cells. */
function tableAfter(heading: string): string[][] {
  const [, body = ''] = readme.split(heading)
  const [text = ''] = body.split(/\n(?:## |\*\*)/)
  const lines = text.split('\n').filter(line => line.startsWith('|'))
  const cellsOf = (line: string) => line.slice(1, line.lastIndexOf('|')).split('|')
  return lines.slice(2).map(line => cellsOf(line).map(cell => cell.trim()))
}

const tableOf = (section: string): string[][] => tableAfter(`\n## ${section}\n`)

describe('the README', () => {
  const folder = temporaryFolder()

  const code = (text: string | undefined): string => (text === undefined ? '' : `\`${text}\``)

  it('has every setting with its default and meaning, and no other', () => {
    const settings: readonly Setting[] = Object.values(SETTINGS)
    const defaultOf = (setting: Setting): string =>
      code(setting.default) || (setting.defaultsTo ?? 'required')
    expect(tableOf('Settings')).to.deep.equal(
      settings.map(setting => [code(setting.name), defaultOf(setting), setting.help]),
    )
  })

  it('has what roles must carry behind a pooler, and nothing else', () => {
    const documented = tableAfter('\n**PgBouncer**').map(row => row.slice(0, 4))
    const roles = POOLS.map(pool => roleSettings(pool, 'auto'))
    const names = new Set(roles.flatMap(role => Object.keys(role)))
    expect(documented).to.have.deep.members(
      [...names].map(name => [code(name), ...roles.map(role => code(role[name]))]),
    )
  })

  it('has every error code with its status, and no other', () => {
    const documented = tableOf('Errors')
    expect(documented.map(row => row.slice(0, 2))).to.deep.equal(
      Object.entries(PROBLEMS).map(([name, { status }]) => [code(name), String(status)]),
    )
    for (const [name, , when] of documented) expect(when, name).to.match(/^\S.{8,}/)
  })

  it('has every metric with its kind, labels and meaning, and no other', () => {
    const metrics: ReadonlyArray<readonly [string, MetricSpec]> = Object.entries(METRIC_TABLE)
    expect(tableOf('Metrics')).to.deep.equal(
      metrics.map(([name, { kind, labels, help }]) => [
        code(name),
        kind,
        Object.keys(labels).map(code).join(', '),
        help,
      ]),
    )
  })

  it('speaks of no metric that there is not', () => {
    const named = readme.match(/\bsvodka_(?!reports|keys\b|probe\b)\w+[a-z]\b/g) ?? []
    expect(Object.keys(METRIC_TABLE)).to.include.members(named)
  })

  it("has rules that pass promtool's check", function () {
    this.timeout(60_000)
    const [, rules = ''] = /\n```yaml\n(groups:[^]*?)```\n/.exec(readme) ?? []
    const file = join(folder, 'rules.yaml')
    writeFileSync(file, rules)
    const promtool = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    if (promtool.error !== undefined) {
      skip(this, 'there is no promtool: install prometheus')
    }
    expect(promtool.stdout + promtool.stderr).to.match(/SUCCESS: \d\d rules found/)
  })

  it('has every command, and no other', () => {
    const documented = tableOf('The command line').map(
      ([command = '']) => /^`([a-z]+)/.exec(command)?.[1],
    )
    const { commands } = createProgram({}, async () => {})
    expect(documented).to.have.members(commands.map(command => command.name()))
  })
})
