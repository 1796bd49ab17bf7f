// Loaded before the gateway (`node --import`): the first pool that is ended refuses to; stderr has a line for each.
import { Pool } from 'pg'

let endCount = 0

Object.assign(Pool.prototype, {
  end(): Promise<void> {
    process.stderr.write('a pool is ended\n')
    endCount += 1
    return endCount > 1
      ? Promise.resolve()
      : Promise.reject(new Error('the first pool cannot be ended'))
  },
})
