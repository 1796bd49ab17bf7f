/**
 * A product whose clinics have the same data: children down to three levels, composite keys, shared tables, views,
 * partitions, heirs, quoted names, two schemas, and functions that read the rows of all.
 */
import { expect } from 'chai'
import type { AnyDefinition } from '../../src/definitions/any-definition.ts'
import type { Statement } from '../../src/definitions/definition.ts'
import { load } from '../definitions/sql-folder.ts'
import { productSql } from '../harness/fixtures.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'

export const CLINICS = [1, 2] as const

export const SCHEMA = productSql('clinics')

export function rowsOf(clinic: number): string {
  const ids = `(select 2 * n + ${clinic} as id, n from generate_series(1, ${7 + clinic}) as n) as ids`
  return productSql('clinic-rows')
    .replaceAll('<clinic>', String(clinic))
    .replaceAll('<other>', String(3 - clinic))
    .replaceAll('<ids>', ids)
}

export const TENANCY = `
clinics: clinic_no
drugs: shared
drug_prices: shared
visits: at_clinic
visit_lines: via visits (visit_id = visit_id)
line_notes: via visit_lines (visit_id = visit_id, line_no = line_no)
doses: via line_notes (note_id = note_id)
bills: clinic_no
bill_lines: via bills (issued_by = clinic_no, bill_no = bill_no)
lab.samples: clinic_no
lab.results: via samples (sample_id = sample_id)
lab_visits: { table: lab.visits, tenancy: at_clinic }
events: clinic_no
events_all: clinic_no
referrals: from_clinic
marks: clinic_no
old_marks: clinic_no
wards: clinic_no
'"Visit ""Fees"" of: all"': '"Clinic No"'
tenants_names: { tenancy: clinic_no, columns: [clinic_no, name] }
visit_fees: at_clinic
line_list: via visits (visit_id = visit_id)
daily_visits: at_clinic
double_of(): shared
`

export const METRICS = `/*---
metrics:
  amount: { title: Сумма, format: money }
---*/
`

/** The only definition of these files. */
export async function loadClinics(files: Readonly<Record<string, string>>): Promise<AnyDefinition> {
  const { reports, metricsFiles } = await load({ 'tenancy.yaml': TENANCY, ...files })
  return [...reports.values(), ...metricsFiles.values()][0]!
}

export type Clinics = Awaited<ReturnType<typeof createClinics>>

/** Databases of both clinics together, and of each alone. @param schema more of it, with rows by `rowsOfMore` */
export async function createClinics(
  name: string,
  schema = '',
  rowsOfMore: (clinic: number) => string = () => '',
) {
  const made = async (suffix: string, clinics: readonly number[]) => {
    const rows = clinics.map(clinic => rowsOf(clinic) + rowsOfMore(clinic)).join('')
    const database = await createTestDatabase(`${name}_${suffix}`, SCHEMA + schema + rows)
    return connectTo(database.primaryUrl)
  }
  const together = await made('together', CLINICS)
  const alone = await Promise.all(CLINICS.map(clinic => made(`alone_${clinic}`, [clinic])))

  /** Sorted, as text. */
  async function rows(statement: Statement, clinic: number, client = together): Promise<string[]> {
    const values = statement.values({
      organizationId: String(clinic),
      period: { start: '2026-01-01', end: '2027-01-01' },
      today: '2026-03-20',
      now: '2026-03-20T09:00:00Z',
      timeZone: 'Europe/Moscow',
    })
    const found = await client.query({
      text: statement.text('smallint'),
      values,
      rowMode: 'array',
      types: { getTypeParser: () => (text: string) => text },
    })
    return found.rows.map(row => JSON.stringify(row)).toSorted()
  }

  /** Those that there would be without the other clinic. */
  const ownRows = (statement: Statement, clinic: number) =>
    rows(statement, clinic, alone[clinic - 1])

  return {
    together,
    rows,
    ownRows,
    async expectOwnRows(statement: Statement) {
      for (const clinic of CLINICS) {
        const own = await ownRows(statement, clinic)
        expect(await rows(statement, clinic)).to.deep.equal(own)
        expect(own).to.not.deep.equal([])
      }
    },
    end: () => Promise.all([together, ...alone].map(client => client.end())),
  }
}
