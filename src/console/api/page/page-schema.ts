import { oneOf } from '../schema.ts'

export const publishedBy = oneOf(['apply', 'hand'])
