import { needs } from '../clients/clients.ts'
import { kits } from './kits.ts'
import { loadsChanges } from './loaders.ts'
import { sqliteRows } from './sqlite.ts'

describe("the kit's R script", () => {
  const all = kits()
  let rscript = ''
  let python = ''
  before(async function () {
    const libraries = 'library(RSQLite); library(curl); library(jsonlite)'
    rscript = await needs(
      this,
      'r-cran-rsqlite, r-cran-curl, r-cran-jsonlite',
      ['Rscript'],
      ['-e', libraries],
    )
    python = await needs(this, 'python3', ['python3'], ['-c', 'import sqlite3'])
    await all.write('r', 'receipts', 'svodka_load.R')
  })

  const inDatabase = (sql: string) => sqliteRows(python, `${all.folder}/svodka.db`, sql)
  loadsChanges(all, {
    tool: 'r',
    command: (file = 'svodka_load.R') => [rscript, [file]],
    read: (table = 'receipts') => inDatabase(`select * from "${table}"`),
    execute: inDatabase,
  })
})
