// Definitions that are wrong when they are deployed.
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure, Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'

const BROKEN: Readonly<Record<string, string>> = {
  'two statements': 'select 1; select 2',
  'no organization': "select 'a' as name order by name",
  set_config: "select set_config('a.b', 'c', false) || :organization_id as name order by name",
  'no SQL': 'selec :organization_id as name order by name',
}

export const deploy: Scenario = {
  fault: 'F44',
  name: 'broken-definition',
  hypothesis:
    'A definition that is wrong by its text is not served: the gateway says which file, and does not start; one that the replica refuses leaves the others',
  async run(world) {
    const figures: Figure[] = []
    for (const [what, sql] of Object.entries(BROKEN)) {
      const folder = mkdtempSync(join(world.folder, 'broken-'))
      cpSync(`${PRODUCT}/sql`, folder, { recursive: true })
      const head = 'title: x\ncolumns:\n  name: { title: x, type: text }\nsummary: "x {name}"'
      writeFileSync(`${folder}/reports/faults/wrong.sql`, `/*---\n${head}\n---*/\n${sql}\n`)
      const started = await world.gateway({ settings: { SQL_DIR: folder } }).catch(String)
      if (typeof started === 'string') {
        const named = started.includes('ended with 1') && started.includes('wrong.sql')
        figures.push({ name: `${what}: not started, file named`, value: Number(named), exactly: 1 })
        continue
      }
      world.faulty.add('wrong')
      const wrong = await started.ask({ report: 'wrong' })
      const other = await started.ask({ report: 'ledger' })
      figures.push(
        { name: `${what}: never 200`, value: wrong.status, exactly: 500 },
        { name: `${what}: others served`, value: other.status, exactly: 200 },
      )
    }
    return figures
  },
}
