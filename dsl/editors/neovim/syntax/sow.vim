" Rules files of mancheck.
if exists('b:current_syntax')
  finish
endif

syntax iskeyword @,48-57,_,192-255

syntax match sowName /\<\a\k*\>/
syntax match sowNumber /\<\d\+\(_\d\+\)*\>/
syntax match sowOperator /->\|\.\.\|\/=\|!=\|<=\|>=\|[-=<>+*]/
syntax match sowSeparator /[|,:]\|\<_\>/
syntax region sowString start=/"/ skip=/\\./ end=/"/ oneline
syntax match sowComment /\/\/.*$/ contains=@Spell
syntax match sowBracket /[(){}]/
syntax match sowSquare /[][]/

syntax keyword sowDeclaration import board player state setup move score win lose draw end offer when
syntax keyword sowDeclaration variant param define procedure position nextgroup=sowDefinition skipwhite
syntax keyword sowStatement sow capture take into again go require prefer choose written let if else while for where
syntax keyword sowWordOperator not and or in div mod old without my their each some number
syntax keyword sowConstant last origin mover opponent none true false empty

" Words that mean something at their places. Those that are names as often are not here.
syntax keyword sowWord along facing greatest group language least line loses map no of owner pass relay reverse ring skip
syntax keyword sowWord strategy takes then was wins with

syntax match sowDefinition /\<\a\k*\>/ contained

syntax cluster sowRules contains=sowName,sowNumber,sowOperator,sowSeparator,sowString,sowComment,sowDeclaration,sowStatement
syntax cluster sowRules add=sowWordOperator,sowConstant,sowWord,sowSquare

" A claim, in whose braces more words mean something.
syntax keyword sowDeclaration claim nextgroup=sowClaimName skipwhite
syntax match sowClaimName /\<\a\k*\>/ contained nextgroup=sowClaimOf,sowClaimTitle,sowClaimBody skipwhite skipempty
syntax match sowClaimOf /\<of\s\+\a\k*\>/ contained contains=sowWord,sowName nextgroup=sowClaimTitle,sowClaimBody skipwhite skipempty
syntax region sowClaimTitle start=/"/ skip=/\\./ end=/"/ oneline contained nextgroup=sowClaimBody skipwhite skipempty
syntax region sowClaimBody matchgroup=sowBracket start=/{/ end=/}/ contained contains=@sowRules,sowClause,sowSet,sowParens
syntax region sowSet matchgroup=sowBracket start=/{/ end=/}/ contained contains=@sowRules,sowClause,sowSet,sowParens
syntax region sowParens matchgroup=sowBracket start=/(/ end=/)/ contained contains=@sowRules,sowClause,sowSet,sowParens
syntax keyword sowClause contained after all ancestors anything bound can count counts equivalent ever every expect file finished
syntax keyword sowClause contained following force gives ignoring invariant is long never notation over plays predecessors proved reachable
syntax keyword sowClause contained refines refuted result reverses scored starting starts states stuck successors terminates unique
syntax keyword sowClause contained unreachable using value wherever winnable winner winning within

highlight default link sowComment Comment
highlight default link sowString String
highlight default link sowClaimTitle String
highlight default link sowNumber Number
highlight default link sowDeclaration Keyword
highlight default link sowStatement Statement
highlight default link sowWordOperator Operator
highlight default link sowWord Keyword
highlight default link sowClause Keyword
highlight default link sowConstant Constant
highlight default link sowDefinition Function
highlight default link sowClaimName Function
highlight default link sowOperator Operator
highlight default link sowSeparator Delimiter
highlight default link sowBracket Delimiter
highlight default link sowSquare Delimiter

syntax sync minlines=200
let b:current_syntax = 'sow'
