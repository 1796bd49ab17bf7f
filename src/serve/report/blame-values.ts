/** Whose fault it is that a statement with values of a request fails: the client's, if it succeeds without them. */
import type { Executable } from '../../definitions/definition.ts'
import { defaultValues, namesOfSet } from '../../definitions/parameter-values.ts'
import { Problem } from '../../model/errors.ts'
import { isDataException } from '../database/classify-error.ts'
import { withPeriod, type ReportRequest } from './report-request.ts'

/**
 * why: a value may be divided by, or make a sum too large, and a client must not set off alerts at will
 * @param reports one, or several of the same parameters
 * @param read what they have without values, which is cached as any other
 * @throws Problem `bad_request` that names the parameters; the failure, if it is not theirs
 */
export async function blameValues<D extends Executable>(
  failure: unknown,
  reports: ReadonlyArray<ReportRequest<D>>,
  read: (reports: Array<ReportRequest<D>>) => Promise<unknown>,
): Promise<never> {
  const [{ definition, parameters }] = reports as [ReportRequest<D>]
  const names = namesOfSet(definition.parameters, parameters)
  const isTheirs = failure instanceof Problem && isDataException(failure.cause)
  if (!isTheirs || names.length === 0) throw failure
  const without = reports.map(one => {
    const { period, format, comparison } = one
    const plain = withPeriod(one, period, format, defaultValues(one.definition.parameters))
    return { ...plain, comparison }
  })
  await read(without).catch(() => Promise.reject(failure))
  throw new Problem('bad_request', texts => texts.valuesFail(names.join(', ')), {
    cause: failure.cause,
  })
}
