// Definitions with an oracle in SQL beside them, on the standby with the demo's data.
import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { command, standbySettings } from '../commands/in-process.ts'
import { ourCatalog } from './subject.ts'

describe('an oracle in SQL', () => {
  const { reports, metricsFiles } = ourCatalog()
  const named = [...reports.values(), ...metricsFiles.values()].filter(({ file }) =>
    existsSync(file.replace(/\.sql$/, '.oracle.sql')),
  )

  it('is beside a report and a file of metrics', () =>
    expect(named.map(({ name }) => name)).to.include.members(['deals_by_source', 'metrics/tasks']))

  for (const { name } of named) {
    it(`has the figures of ${name}`, async () => {
      const ended = await command(`diff ${name} --oracle`, await standbySettings())
      expect(ended.stdout).to.match(/^equal, \S+ .* 4 organizations x 6 periods\n$/)
      expect(ended).to.include({ code: 0, stderr: '' })
    })
  }
})
