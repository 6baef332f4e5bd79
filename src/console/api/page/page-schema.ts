import { Type } from '@sinclair/typebox'

export const stateSchema = Type.Union([Type.Literal('live'), Type.Literal('preview')])
export const publishedBySchema = Type.Union([Type.Literal('apply'), Type.Literal('hand')])
