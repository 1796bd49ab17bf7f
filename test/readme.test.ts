import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createProgram } from '../src/commands/command-line.ts'
import type { Setting } from '../src/config/setting.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { PROBLEMS } from '../src/errors.ts'
import type { MetricSpec } from '../src/observability/metric-table.ts'
import { METRIC_TABLE } from '../src/observability/metric-table.ts'
import { POOLS } from '../src/observation.ts'
import { roleSettings } from '../src/replica/session-settings.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const readme = readFileSync('README.md', 'utf8')

/** The rows of the section's one table, each an array of cells. */
function tableOf(section: string): string[][] {
  return tableAfter(`\n## ${section}\n`)
}

function tableAfter(heading: string): string[][] {
  const [, body = ''] = readme.split(heading)
  const [text = ''] = body.split(/\n(?:## |\*\*)/)
  const lines = text.split('\n').filter(line => line.startsWith('|'))
  return lines.slice(2).map(line =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map(cell => cell.trim()),
  )
}

describe('the README', () => {
  const folder = temporaryFolder()

  it('has every setting with its default and meaning, and no other', () => {
    const settings: readonly Setting[] = Object.values(SETTINGS)
    expect(tableOf('Settings')).to.deep.equal(
      settings.map(setting => [
        `\`${setting.name}\``,
        setting.default === undefined
          ? (setting.defaultsTo ?? 'required')
          : `\`${setting.default}\``,
        setting.help,
      ]),
    )
  })

  it('has what roles must carry behind a pooler, and nothing else', () => {
    const documented = tableAfter('\n**PgBouncer**').map(row => row.slice(0, 4))
    const roles = POOLS.map(pool => roleSettings(pool, 'auto'))
    const cell = (value: string | undefined): string => (value === undefined ? '' : `\`${value}\``)
    const names = new Set(roles.flatMap(role => Object.keys(role)))
    expect(documented).to.have.deep.members(
      [...names].map(name => [`\`${name}\``, ...roles.map(role => cell(role[name]))]),
    )
  })

  it('has every error code with its status, and no other', () => {
    const documented = tableOf('Errors')
    expect(documented.map(([code, status]) => [code, status])).to.deep.equal(
      Object.entries(PROBLEMS).map(([code, { status }]) => [`\`${code}\``, String(status)]),
    )
    for (const [code, , when] of documented) expect(when, code).to.match(/^\S.{8,}/)
  })

  it('has every metric with its kind, labels and meaning, and no other', () => {
    const metrics: ReadonlyArray<readonly [string, MetricSpec]> = Object.entries(METRIC_TABLE)
    expect(tableOf('Metrics')).to.deep.equal(
      metrics.map(([name, { kind, labels = [], help }]) => [
        `\`${name}\``,
        kind,
        labels.map(label => `\`${label}\``).join(', '),
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
      process.stderr.write('      promtool is missing (Debian package prometheus): NOT CHECKED\n')
      this.skip()
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
