-- The whole numbers that a double holds exactly.
return {maxdouble = 2 ^ 53, mindouble = -2 ^ 53}
