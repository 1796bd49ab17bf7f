// The shipped definitions on the standby: for one organization, and in the proof for all of the demo.
import { expect } from 'chai'
import { checkFile, readToCheck } from '../../src/author/check/check.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { useStandbyCheck } from './standby-check.ts'

// why: mocha needs the files before it runs tests
const shipped = await readToCheck('sql', parseSql)

describe('our definitions on a replica', () => {
  const standby = useStandbyCheck(IS_PROOF ? undefined : ['business'])
  const { files, findings } = shipped

  it('are all read without findings', () => expect(findings).to.deep.equal([]))

  for (const file of files) {
    it(`have no finding: ${file.name}`, async () => {
      expect(await checkFile(file, shipped, standby.ask)).to.deep.equal([])
    })
  }
})
