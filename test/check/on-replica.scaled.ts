// The corpus on the demo's standby, in the proof for all organizations of the demo.
import { expect } from 'chai'
import { IS_PROOF } from '../harness/is-proof.ts'
import { corpus, expectedNames, findingsIn, named } from './corpus.ts'
import { useStandbyCheck } from './standby-check.ts'

/** Only the large organization has such rows. */
const OF_LARGE = /two rows have created_on|two rows tie|temporary files/

describe('the corpus on a replica', () => {
  const standby = useStandbyCheck(IS_PROOF ? undefined : ['business'])
  const large = IS_PROOF ? standby : useStandbyCheck(['business', 'large'])

  for (const file of corpus('demo')) {
    it(file.name, async () => {
      const { ask } = OF_LARGE.test(file.text) ? large : standby
      const found = named(await findingsIn(file.text, ask), file)
      expect(found).to.have.members(expectedNames(file))
    })
  }
})
