//! The components, as in ecs_bench_suite. Each library file makes its own, with the derive that its library wants.

/// `Transform`, `Position`, `Rotation` and `Velocity`, and `body`, which gives entity `i` its four.
macro_rules! bodies {
    ($($derive:path)?) => {
        /// A matrix of 64 bytes.
        #[derive(Clone, Copy, $($derive)?)]
        pub struct Transform(pub [f32; 16]);
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, $($derive)?)]
        #[repr(transparent)]
        pub struct Position(pub [f32; 3]);
        #[derive(Clone, Copy, $($derive)?)]
        pub struct Rotation(pub [f32; 3]);
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, $($derive)?)]
        #[repr(transparent)]
        pub struct Velocity(pub [f32; 3]);

        /// The components of entity `i`: the position tells it from the others.
        #[inline(always)]
        fn body(i: u32) -> (Transform, Position, Rotation, Velocity) {
            (
                Transform($crate::math::TRANSFORM),
                Position([i as f32, 0.0, 0.0]),
                Rotation([1.0, 0.0, 0.0]),
                Velocity([1.0, 0.5, 0.25]),
            )
        }
    };
}

/// `Data` and the 26 components `A` to `Z`.
macro_rules! letters {
    () => {
        letters!(Clone);
    };
    ($derive:path) => {
        letters! { $derive: Data A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }
    };
    ($derive:path: $($letter:ident)*) => {
        $(
            #[derive($derive)]
            #[allow(dead_code, reason = "most letters only tell their kind from the others")]
            pub struct $letter(pub f32);
        )*
    };
}

/// Hands the names `A` to `Z` to a macro, after its own arguments.
macro_rules! each_letter {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)* A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }
    };
}
