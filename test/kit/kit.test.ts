// `svodka kit`: arguments and errors, and what the page imports.
import { cpSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { command, expectCommand } from '../commands/in-process.ts'
import { SHOPS_SQL_DIR } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const ADDRESS = /--url is not the address of a gateway: expected one such as https:/

describe('svodka kit', () => {
  it('prints a script for a report, a gateway and a period', async () => {
    const line =
      'kit python operations --url https://example.com/svodka/ --from 2026-02-03 --to 2026-03-31'
    const { code, stdout, stderr } = await command(line)
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.include(
      'URL = "https://example.com/svodka/api/public/v1"\nCODE = "operations"  # пусто: все отчёты\n' +
        'FROM = "2026-02-03"\nTO = "2026-03-31"',
    )
  })

  it('prints scripts for all reports until the end of the current year', async () => {
    const { stdout } = await command('kit dlt')
    expect(stdout).to.include('"operations": (["operation_id"]')
    expect(stdout).to.include('"profit_loss": (["')
    const from = `${new Date().toISOString().slice(0, 4)}-01-01`
    expect(stdout).to.include(`FROM = "${from}"\nTO = ""`)
  })

  it('has the values of parameters, and says which are missing', async () => {
    const { stdout } = await command('kit python operations --set kind=income --set account=7')
    expect(stdout).to.include('VALUES, SUFFIX = "&account=7&kind=income", "_account_7_kind_income"')
    const folder = temporaryFolder()
    cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
    cpSync('test/clients/reports', join(folder, 'reports'), { recursive: true })
    const missing = 'signed needs sign: name it with --set, or use a key that fixes the values.\n'
    const one = await command('kit curl signed', { SQL_DIR: folder })
    expect([one.code, one.stderr]).to.deep.equal([0, missing])
    const all = await command('kit airbyte', { SQL_DIR: folder })
    expect([all.code, all.stderr]).to.deep.equal([0, missing])
    expect(all.stdout).to.include('# Без отчётов, которым нужны значения параметров: signed\n')
    expect(all.stdout).to.include('name: "receipts"').and.not.include('"signed"')
  })

  for (const [line, stderr] of [
    ['kit', /missing required argument 'tool'/],
    ['kit perl', /Allowed choices are pandas, frame, powerquery,/],
    ['kit pandas', /The script for pandas is for one report: name its code\./],
    ['kit curl operatons', /did you mean "operations"\?/],
    ['kit powerquery', /The script for powerquery is for one report: name its code\./],
    ['kit python --set kind=income', /--set is for the parameters of one report: name its code\./],
    ['kit python operations --set kind=none', /expected one of income, expense, transfer\./],
    ['kit python operations --set warehouse=1', /found no parameter of operations with a value/],
    ['kit curl --from 2026-02-30', /Parameter from is "2026-02-30"/],
    ['kit curl --url ftp://example.com', ADDRESS],
    ['kit curl --url https://user:secret@example.com', ADDRESS],
    ['kit curl --url https://example.com/?key=secret', ADDRESS],
  ] as const)
    it(`rejects ${line}`, () => expectCommand(line, {}, { code: 2, stderr }))

  it('writes scripts with a function that a browser could execute', () => {
    const files = new Set([fileURLToPath(new URL('../../src/kit/kit.js', import.meta.url))])
    for (const file of files) {
      const imports = readFileSync(file, 'utf8').matchAll(/^import .* from '([^']+)'/gm)
      for (const [, name = ''] of imports) {
        expect(name).to.match(/^\.\.?\//)
        files.add(join(dirname(file), name))
      }
    }
    expect(files.size).to.equal(4)
  })
})
